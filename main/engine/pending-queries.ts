import { AppError, fromWireError } from "#storage/model/errors.ts";
import type { QueryProgress, QueryRequest, QueryResponse } from "#pipeline/protocol/query-messages.ts";
import type { FromWorker, ToWorker } from "#pipeline/protocol/worker-messages.ts";

/** Requests that may wait for an answer at once; more are refused, since the query worker answers one after the other. */
const PENDING_LIMIT = 200;

type Waiting = {
  readonly resolve: (response: QueryResponse) => void;
  readonly reject: (error: AppError) => void;
  readonly onProgress: (progress: QueryProgress) => void;
};

/** Requests to the query worker that have no answer yet. Lives as long as the worker set. */
export class PendingQueries {
  readonly #send: (message: ToWorker) => void;
  readonly #waiting = new Map<number, Waiting>();
  #seq = 0;

  constructor(send: (message: ToWorker) => void) {
    this.#send = send;
  }

  /** Sends a request; rejects with the worker's error, with `worker-gone` when it dies, with `statement-cancelled` on abort. */
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
      const onAbort = (): void => this.#send({ type: "cancel", seq });
      signal?.addEventListener("abort", onAbort, { once: true });
      const settle = (): void => {
        signal?.removeEventListener("abort", onAbort);
        this.#waiting.delete(seq);
      };
      this.#waiting.set(seq, {
        onProgress,
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

  /** The worker is gone: nobody will answer. */
  rejectAll(): void {
    const error = new AppError(
      "worker-gone",
      "The query worker ended before it answered. It is started again; ask once more.",
    );
    for (const waiting of this.#waiting.values()) waiting.reject(error);
  }
}
