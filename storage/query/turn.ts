import { AppError } from "../model/errors.ts";

/** Statements that may wait behind the running one; more than a person types, fewer than a runaway script sends. */
const MAX_WAITING = 32;

/** Lets one task run at a time, first come, first served. */
export class Turn {
  private last: Promise<unknown> = Promise.resolve();
  private waiting = 0;

  /** Tasks running or waiting. */
  get length(): number {
    return this.waiting;
  }

  /** Runs `task` behind those before it; one that is cancelled while it waits is given up at once and never runs. Throws `statement-cancelled`. */
  async take<T>(signal: AbortSignal, task: () => Promise<T>): Promise<T> {
    if (this.waiting >= MAX_WAITING) {
      throw new AppError("statement-refused", `${MAX_WAITING} statements are waiting already; cancel some`);
    }
    this.waiting += 1;
    const { promise: given, reject: giveUp } = Promise.withResolvers<never>();
    // Unheard where the task has begun.
    given.catch(() => undefined);
    const onAbort = (): void => giveUp(cancelled());
    signal.addEventListener("abort", onAbort, { once: true });
    const run = this.last.then(() => {
      if (signal.aborted) throw cancelled();
      // From here on the task itself answers for the signal.
      signal.removeEventListener("abort", onAbort);
      return task();
    });
    // A failure belongs to its own caller, not to the one behind.
    this.last = run.catch(() => undefined);
    try {
      return await Promise.race([run, given]);
    } finally {
      signal.removeEventListener("abort", onAbort);
      this.waiting -= 1;
    }
  }
}

/** The error of a statement that its owner gave up. */
export function cancelled(cause?: unknown): AppError {
  return new AppError("statement-cancelled", "cancelled", { cause });
}
