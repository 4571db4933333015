import { AppError, fromWireError } from "#storage/model/errors.ts";
import type { QueryProgress, QueryRequest, QueryResponse } from "#pipeline/protocol/query-messages.ts";
import type { FromWorker, ToWorker } from "#pipeline/protocol/worker-messages.ts";

/** Requests that may wait for an answer at once; more are refused, since the query worker answers one after the other. */
const PENDING_LIMIT = 200;
/**
 * A cancelled statement that is still at work by then has its worker replaced. DuckDB looks for interrupts between vectors
 * of rows, so one function on one huge value (an edit distance of 200 kB texts) cannot be interrupted at all; every other
 * statement gives way within 120 ms.
 */
export const CANCEL_LIMIT_MS = 200;

/** The way to the query worker. */
export type QueryLine = {
  readonly send: (message: ToWorker) => void;
  /** Kills the worker's process, which is started again at once; false where there is none. */
  readonly replaceWorker: () => boolean;
};

type Waiting = {
  readonly request: QueryRequest;
  readonly resolve: (response: QueryResponse) => void;
  readonly reject: (error: AppError) => void;
  readonly onProgress: (progress: QueryProgress) => void;
};

/** Requests to the query worker that have no answer yet. Lives as long as the worker set. */
export class PendingQueries {
  readonly #line: QueryLine;
  readonly #waiting = new Map<number, Waiting>();
  #seq = 0;
  /** Between the kill of a worker that would not give way and the first word of the next one: questions wait for that. */
  #isReplacing = false;

  constructor(line: QueryLine) {
    this.#line = line;
  }

  /**
   * Sends a request; rejects with the worker's error, with `worker-gone` when it dies, with `statement-cancelled` on abort: at
   * once where the worker gives way, else after {@link CANCEL_LIMIT_MS} at the cost of its process.
   */
  ask(
    request: QueryRequest,
    signal?: AbortSignal,
    onProgress: (progress: QueryProgress) => void = () => undefined,
  ): Promise<QueryResponse> {
    if (this.#waiting.size >= PENDING_LIMIT) {
      return Promise.reject(
        new AppError("worker-gone", "Too many questions wait for the query worker. Try again in a moment."),
      );
    }
    const seq = ++this.#seq;
    return new Promise((resolve, reject) => {
      let limit: NodeJS.Timeout | undefined;
      const onAbort = (): void => {
        this.#send({ type: "cancel", seq });
        if (request.ask === "sql") limit = setTimeout(() => this.#forceCancel(seq), CANCEL_LIMIT_MS);
      };
      signal?.addEventListener("abort", onAbort, { once: true });
      const settle = (): void => {
        signal?.removeEventListener("abort", onAbort);
        clearTimeout(limit);
        this.#waiting.delete(seq);
      };
      this.#waiting.set(seq, {
        onProgress,
        request,
        resolve: (response) => {
          settle();
          resolve(response);
        },
        reject: (error) => {
          settle();
          reject(error);
        },
      });
      this.#send({ type: "query", seq, request });
    });
  }

  /** Takes an answer or a refusal; ignores every other message. */
  take(message: FromWorker): void {
    if (message.type === "progress") this.#waiting.get(message.seq)?.onProgress(message.progress);
    if (message.type === "answer") this.#waiting.get(message.seq)?.resolve(message.response);
    if (message.type === "refused") this.#waiting.get(message.seq)?.reject(fromWireError(message.error));
  }

  /** The worker's process is gone. One that we replaced is no reason to fail: the others wait for the next. */
  workerEnded(): void {
    if (!this.#isReplacing) this.rejectAll();
  }

  /** A worker is up: what waited for it is asked. */
  workerRuns(): void {
    if (!this.#isReplacing) return;
    this.#isReplacing = false;
    for (const [seq, { request }] of this.#waiting) this.#line.send({ type: "query", seq, request });
  }

  /** Nobody will answer any more. */
  rejectAll(): void {
    this.#isReplacing = false;
    const error = new AppError(
      "worker-gone",
      "The query worker ended before it answered. It is started again; ask once more.",
    );
    for (const waiting of this.#waiting.values()) waiting.reject(error);
  }

  #send(message: ToWorker): void {
    if (!this.#isReplacing) this.#line.send(message);
  }

  #forceCancel(seq: number): void {
    const waiting = this.#waiting.get(seq);
    if (waiting === undefined) return;
    waiting.reject(new AppError("statement-cancelled", "cancelled"));
    // Already on its way out: one replacement ends every statement of that process.
    if (!this.#isReplacing) this.#isReplacing = this.#line.replaceWorker();
  }
}
