import { AppError } from "#storage/model/errors.ts";

/** Long questions open at once for all windows; a person has a few. */
const MAX_RUNS = 32;

/** Long questions by the name their window gave them, so that it can cancel them. */
export class CancellableRuns {
  readonly #open = new Map<string, AbortController>();
  readonly #ofPage = new Set<string>();

  /**
   * Runs `work` under a name. `endsWithPage`: nobody else could take its answer. Throws `usage` for a name in use and when too
   * many are open.
   */
  async during<T>(
    runId: string,
    work: (signal: AbortSignal) => Promise<T>,
    { endsWithPage = false }: { readonly endsWithPage?: boolean } = {},
  ): Promise<T> {
    if (this.#open.has(runId)) throw new AppError("usage", `a run of the name ${runId} is under way`);
    if (this.#open.size >= MAX_RUNS) {
      throw new AppError("statement-refused", `${MAX_RUNS} statements are running; cancel one or wait`);
    }
    const controller = new AbortController();
    this.#open.set(runId, controller);
    if (endsWithPage) this.#ofPage.add(runId);
    try {
      return await work(controller.signal);
    } finally {
      this.#open.delete(runId);
      this.#ofPage.delete(runId);
    }
  }

  /** The page's process is gone: what only it could take is cancelled; an export goes on. */
  cancelOfPage(): void {
    for (const runId of this.#ofPage) this.cancel(runId);
  }

  /** Cancels a run; one that is over is no error. */
  cancel(runId: string): void {
    this.#open.get(runId)?.abort();
  }
}
