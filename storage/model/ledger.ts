import type { Offset, SourceName } from "./brand.ts";

/** Hops of the journey whose two sides must balance (architecture.md "Journey"). */
export const LEDGER_HOPS = [
  "received",
  "filtered",
  "dead_letter",
  "duplicate",
  "repeat",
  "unreadable",
  "control",
  "bronze",
  "silver",
  "late",
  "horizon_evicted",
] as const;

/** One of {@link LEDGER_HOPS}. `late` is a subset of bronze; `horizon_evicted` counts ids that left dedup by the cap. */
export type LedgerHop = (typeof LEDGER_HOPS)[number];

/**
 * Account of one hop of one source and stream: how many records passed and the sum (mod 2^64) of the hashes of their
 * identities (source, log_offset, sha256 of the stored bytes), so that order does not matter and a swap shows.
 */
export type LedgerEntry = {
  readonly source: SourceName;
  readonly stream: string;
  readonly hop: LedgerHop;
  readonly count: number;
  readonly identityHash: bigint;
};

/** How a hole in the source's own offsets is classed (architecture.md "Gaps are seen"). */
export type GapState = "open" | "asked" | "repaired" | "explained" | "not-served";

/** A hole in `meta.offset` of one topic and partition: source offsets `fromOffset`…`toOffset` did not arrive in order. */
export type Gap = {
  readonly source: SourceName;
  readonly topic: string;
  readonly partition: number;
  readonly fromOffset: number;
  readonly toOffset: number;
  readonly state: GapState;
  /** Why it is in this state, in a few words. */
  readonly reason: string;
  /** Log offset of the record that showed the hole. */
  readonly seenAt: Offset;
  /** Log offset at which the state was last changed. */
  readonly changedAt: Offset;
};
