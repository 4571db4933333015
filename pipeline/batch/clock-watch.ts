import type { LogRecord } from "#storage/model/record.ts";

/** "Over half of the last 100 records by offset failing the rule" (architecture.md "Validate"). */
const WATCHED_RECORDS = 100;
/** "Server offset over 5 minutes". */
const WRONG_OFFSET_MS = 300_000;

/** Suspects a wrong clock from what the log says. A state on screen; no record is judged by it. */
export class ClockWatch {
  readonly #verdicts: boolean[];
  #serverOffsetMs: number | null;
  #failing: number;

  constructor(memory: ClockMemory) {
    this.#verdicts = memory.verdicts.split("").map((verdict) => verdict === "1");
    this.#failing = this.#verdicts.filter((isInFuture) => isInFuture).length;
    this.#serverOffsetMs = memory.serverOffsetMs;
  }

  see(record: LogRecord, isInFuture: boolean): void {
    this.#verdicts.push(isInFuture);
    if (isInFuture) this.#failing += 1;
    if (this.#verdicts.length > WATCHED_RECORDS && this.#verdicts.shift() === true) this.#failing -= 1;
    this.#serverOffsetMs = record.serverOffsetMs;
  }

  isWrong(): boolean {
    if (this.#serverOffsetMs !== null && Math.abs(this.#serverOffsetMs) > WRONG_OFFSET_MS) return true;
    return this.#failing * 2 > WATCHED_RECORDS;
  }

  memory(): ClockMemory {
    return { verdicts: this.#verdicts.map(Number).join(""), serverOffsetMs: this.#serverOffsetMs };
  }
}

/** What the watch remembers across a restart: newest verdict last, `1` = in the future. */
export type ClockMemory = { readonly verdicts: string; readonly serverOffsetMs: number | null };

/** An empty memory. */
export const NO_CLOCK_MEMORY: ClockMemory = { verdicts: "", serverOffsetMs: null };
