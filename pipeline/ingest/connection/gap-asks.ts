import type { NoteBody } from "#storage/model/record.ts";
import type { GapAsk } from "../source-contract.ts";

/** Holes that wait for the next connection. More than this are refused and logged; the pipeline names them again. */
const MAX_PENDING = 1_000;
/** Kept off the dedup horizon, because the source's times and event times differ by seconds. */
const HORIZON_MARGIN_MS = 60_000;

/**
 * Holes to ask for at the next connection, each once. One that lies beyond the dedup horizon is not asked for: what the
 * source sends again from there could not be told from new records.
 */
export class GapAsks {
  #pending: GapAsk[] = [];

  /** Adds a hole. Returns why not, or null. */
  add(ask: GapAsk): string | null {
    if (this.#pending.some((known) => isSame(known, ask))) return null;
    if (this.#pending.length >= MAX_PENDING) return `more than ${MAX_PENDING} holes wait already`;
    this.#pending.push(ask);
    return null;
  }

  /** The holes that a connection resuming near `newestMs` may cover; the others are given up and returned as `refused`. */
  select(
    newestMs: number | null,
    horizonMs: number,
    rewindMs: number,
  ): { readonly asks: readonly GapAsk[]; readonly refused: readonly GapAsk[] } {
    if (newestMs === null) return { asks: [], refused: [] };
    const floorMs = newestMs - Math.max(0, horizonMs - HORIZON_MARGIN_MS);
    const refused = this.#pending.filter((ask) => ask.sinceMs - rewindMs < floorMs);
    this.#pending = this.#pending.filter((ask) => !refused.includes(ask));
    return { asks: [...this.#pending], refused };
  }

  /** The connection that covers `asks` is open: they are asked for and wait no longer. */
  settle(asks: readonly GapAsk[]): readonly NoteBody[] {
    this.#pending = this.#pending.filter((ask) => !asks.some((asked) => isSame(asked, ask)));
    return asks.map(({ topic, partition, fromOffset, toOffset }) => ({
      note: "gap-asked",
      topic,
      partition,
      fromOffset,
      toOffset,
    }));
  }
}

function isSame(a: GapAsk, b: GapAsk): boolean {
  return (
    a.topic === b.topic &&
    a.partition === b.partition &&
    a.fromOffset === b.fromOffset &&
    a.toOffset === b.toOffset
  );
}
