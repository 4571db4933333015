import { AppError, toWireError } from "#storage/model/errors.ts";
import type { QueryProgress, QueryRequest } from "../protocol/query-messages.ts";
import type { FromWorker, ToWorker } from "../protocol/worker-messages.ts";
import { answerQuery, type AnswerContext } from "./answer-query.ts";

/** Questions open at once; the parent asks for fewer (main/engine/pending-queries.ts). */
const MAX_OPEN = 256;
/** Four times a second, the most a person can read. */
const PROGRESS_INTERVAL_MS = 250;

/**
 * Takes questions by number, answers or refuses each exactly once, cancels by number. An error that is no AppError is a bug and
 * ends the process through `onBug`, and so does a catalog that was replaced.
 */
export class QueryDesk {
  private readonly context: AnswerContext;
  private readonly send: (message: FromWorker) => void;
  private readonly onBug: (error: unknown) => void;
  private readonly open = new Map<number, { cancel: AbortController; done: Promise<void> }>();

  constructor(context: AnswerContext, send: (message: FromWorker) => void, onBug: (error: unknown) => void) {
    this.context = context;
    this.send = send;
    this.onBug = onBug;
  }

  /** Questions without an answer. */
  get running(): number {
    return this.open.size;
  }

  /** Query and cancel messages; others are none of its business. */
  onMessage(message: ToWorker): void {
    if (message.type === "query") this.take(message.seq, message.request);
    else if (message.type === "cancel") this.open.get(message.seq)?.cancel.abort();
  }

  /** Cancels everything and waits until each question was refused or answered. */
  async stop(): Promise<void> {
    const open = [...this.open.values()];
    for (const { cancel } of open) cancel.abort();
    await Promise.all(open.map(({ done }) => done));
  }

  private take(seq: number, request: QueryRequest): void {
    if (this.open.size >= MAX_OPEN) {
      return this.refuse(seq, new AppError("statement-refused", "too many questions are open; try again"));
    }
    const cancel = new AbortController();
    const done = this.answer(seq, request, cancel.signal).finally(() => this.open.delete(seq));
    this.open.set(seq, { cancel, done });
  }

  private async answer(seq: number, request: QueryRequest, signal: AbortSignal): Promise<void> {
    try {
      const tell = this.progressOf(seq);
      this.send({ type: "answer", seq, response: await answerQuery(this.context, request, signal, tell) });
    } catch (error) {
      if (!(error instanceof AppError)) return this.onBug(error);
      this.refuse(seq, error);
      // Every other error leaves the session as good as it was; this one needs a new process.
      if (error.code === "file-replaced") this.onBug(error);
    }
  }

  /** At most 4 times a second; what comes between is passed over, the next one says more. */
  private progressOf(seq: number): (progress: QueryProgress) => void {
    let toldMs = Number.NEGATIVE_INFINITY;
    return (progress) => {
      const nowMs = performance.now();
      if (!this.open.has(seq) || nowMs - toldMs < PROGRESS_INTERVAL_MS) return;
      toldMs = nowMs;
      this.send({ type: "progress", seq, progress });
    };
  }

  private refuse(seq: number, error: AppError): void {
    this.send({ type: "refused", seq, error: toWireError(error) });
  }
}
