import { type Offset, toOffset } from "#storage/model/brand.ts";
import type { CommitInput } from "#storage/model/lake.ts";
import type { LogRead } from "#storage/model/log.ts";
import type { LakeSettings } from "#storage/model/settings.ts";
import { isAmending } from "./decide-record.ts";

/** About this many bytes are read for one batch, however few records they are: bounds the worker's memory. */
export const BATCH_MAX_BYTES = 32 * 1_048_576;

/** Redrive and repair runs rewrite settled windows, each read back from silver: a batch of them is smaller. */
const AMEND_MAX_RECORDS = 1_000;

/** How many records the next batch may take, and how it is to be written. */
export type BatchPlan = { readonly mode: CommitInput["mode"]; readonly maxRecords: number };

/** Adapts to the lag: small hot batches when live, large ones straight to Parquet when catching up. */
export function planBatch(lagRecords: number, settings: LakeSettings): BatchPlan {
  return lagRecords > settings.liveBatchRecords
    ? { mode: "catching-up", maxRecords: settings.catchUpRecords }
    : { mode: "live", maxRecords: settings.liveBatchRecords };
}

/**
 * The first part of what was read that may be one batch: cut where a run of redrive and repair records begins or ends,
 * since these amend settled windows in a commit of their own (architecture.md "Hot rows and seal points").
 */
export function cutAtAmendRuns(read: LogRead): LogRead {
  const [first] = read.records;
  if (first === undefined) return read;
  const amends = isAmending(first);
  const end = read.records.findIndex(
    (record, index) => isAmending(record) !== amends || (amends && index >= AMEND_MAX_RECORDS),
  );
  const next = read.records[end];
  return next === undefined ? read : upTo(read, toOffset(next.offset - 1));
}

function upTo(read: LogRead, toOffset: Offset): LogRead {
  return {
    fromOffset: read.fromOffset,
    toOffset,
    records: read.records.filter(({ offset }) => offset <= toOffset),
    unreadable: read.unreadable
      .filter((range) => range.fromOffset <= toOffset)
      .map((range) => (range.toOffset > toOffset ? { ...range, toOffset } : range)),
  };
}
