import { parseArgs } from "node:util";

/** How much is measured. Every number that a quick run shortens is named in its row. */
export type BenchPlan = {
  readonly isQuick: boolean;
  /** Events of the corpus, caught up on by the real workers. */
  readonly events: number;
  /** Events of the long history (memory, gold fold, queries); null: the corpus must do. */
  readonly history: number | null;
  readonly liveSeconds: number;
  readonly kills: number;
  readonly simulatedMinutes: number;
  readonly jsonPath: string | null;
  /** Only figures whose name holds this text; null for all. */
  readonly only: string | null;
};

/** Event time of the corpus: events a second, as the demo feed has at full speed. */
export const EVENT_RATE = 2_000;

/** Of the live figures: Wikimedia's recentchange has 33 to 40 events a second. */
export const LIVE_RATE = 50;

/** Reads the command line of the benchmark. Throws a TypeError for what it does not know. */
export function parsePlan(args: readonly string[]): BenchPlan {
  const { values } = parseArgs({
    args: [...args],
    options: {
      quick: { type: "boolean", default: false },
      json: { type: "string" },
      only: { type: "string" },
      events: { type: "string" },
      history: { type: "string" },
    },
  });
  const isQuick = values.quick;
  const events = whole(values.events) ?? (isQuick ? 150_000 : 1_000_000);
  return {
    isQuick,
    events,
    history: whole(values.history) ?? (isQuick ? null : 10_000_000),
    liveSeconds: isQuick ? 20 : 120,
    kills: isQuick ? 5 : 20,
    simulatedMinutes: isQuick ? 10 : 180,
    jsonPath: values.json ?? null,
    only: values.only ?? null,
  };
}

function whole(text: string | undefined): number | null {
  if (text === undefined) return null;
  const value = Number(text);
  // Below some batches of ten thousand there is no p99 and no steady state to speak of.
  if (!Number.isSafeInteger(value) || value < 50_000)
    throw new TypeError(`at least 50000 events, not: ${text}`);
  return value;
}
