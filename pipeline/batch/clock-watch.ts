import type { LogRecord } from "#storage/model/record.ts";

/** "Over half of the last 100 records by offset failing the rule" (architecture.md "Validate"). */
const WATCHED_RECORDS = 100;
/** "Server offset over 5 minutes". */
const WRONG_OFFSET_MS = 300_000;

/** Suspects a wrong clock from what the log says. A state on screen; no record is judged by it. */
export class ClockWatch {
  #verdicts: string;
  #serverOffsetMs: number | null;

  constructor(memory: ClockMemory) {
    this.#verdicts = memory.verdicts;
    this.#serverOffsetMs = memory.serverOffsetMs;
  }

  see(record: LogRecord, isInFuture: boolean): void {
    const kept = this.#verdicts.length < WATCHED_RECORDS ? this.#verdicts : this.#verdicts.slice(1);
    this.#verdicts = kept + (isInFuture ? "1" : "0");
    this.#serverOffsetMs = record.serverOffsetMs;
  }

  isWrong(): boolean {
    if (this.#serverOffsetMs !== null && Math.abs(this.#serverOffsetMs) > WRONG_OFFSET_MS) return true;
    return this.#verdicts.replaceAll("0", "").length * 2 > WATCHED_RECORDS;
  }

  memory(): ClockMemory {
    return { verdicts: this.#verdicts, serverOffsetMs: this.#serverOffsetMs };
  }
}

/** What the watch remembers across a restart: newest verdict last, `1` = in the future. */
export type ClockMemory = { readonly verdicts: string; readonly serverOffsetMs: number | null };

/** An empty memory. */
export const NO_CLOCK_MEMORY: ClockMemory = { verdicts: "", serverOffsetMs: null };
