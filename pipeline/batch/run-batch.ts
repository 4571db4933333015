import { setImmediate } from "node:timers/promises";
import { setFailpointRange } from "#storage/failpoint/failpoint.ts";
import type { CommitInput, LakeReader } from "#storage/model/lake.ts";
import type { LogRead } from "#storage/model/log.ts";
import type { LogRecord } from "#storage/model/record.ts";
import type { TableBatch } from "#storage/model/table.ts";
import { nonEmptyBatches } from "../protocol/table-rows.ts";
import { amendSettledWindows } from "./amend-windows.ts";
import type { BatchRows } from "./batch-rows.ts";
import { type BatchState, toSourceState } from "./batch-state.ts";
import { BatchDecision, isAmending } from "./decide-record.ts";
import { findStoredIds } from "./stored-ids.ts";

/** After so many records (20 ms of work) the thread looks at its events: files of the batch before, heartbeat, telemetry. */
const BREATH_RECORDS = 1_000;

/** Told of the rows so far, so that they need not wait for the batch to be whole; what it takes out is not in the result. */
export type OnBreath = (rows: BatchRows) => void;

/**
 * The journey of a batch: decode → filter → validate → dedup → bronze → silver → gold → one commit.
 * Advances `state` to the end of `read` and returns what makes the lake follow. What it decides is a function of the log
 * alone. `lake` is read only for runs of redrive and repair records, and must then show all commits before.
 */
export async function runBatch(
  state: BatchState,
  read: LogRead,
  lake: LakeReader,
  mode: CommitInput["mode"],
  onBreath: OnBreath = () => undefined,
): Promise<CommitInput> {
  setFailpointRange(read.fromOffset, read.toOffset);
  const amending = read.records.filter(isAmending);
  const storedIds =
    amending.length === 0 ? new Set<string>() : await findStoredIds(lake, state.source, amending);

  const batch = new BatchDecision(state, storedIds);
  let taken = 0;
  for (const step of inOffsetOrder(read)) {
    if ("record" in step) batch.take(step.record);
    else batch.takeUnreadable(step.offset, step.reason);
    taken += 1;
    if (taken % BREATH_RECORDS === 0) {
      onBreath(batch.rows);
      await setImmediate();
    }
  }

  const gold = state.gold.take(state.watermark.us);
  const amends = await amendSettledWindows(lake, state, gold.touched, batch.amending);
  addExcluded(state);
  state.checkpoint = read.toOffset;
  return {
    source: state.source,
    fromOffset: read.fromOffset,
    toOffset: read.toOffset,
    ...receivedRange(read.records),
    appends: [...nonEmptyBatches(Object.values(batch.rows)), ...nonEmptyBatches(gold.appends)],
    upserts: nonEmptyBatches(gold.upserts),
    amends: amends satisfies readonly TableBatch[],
    ledger: batch.account.entries(state.source),
    gaps: [...state.gaps.takeChanged(), ...state.lost.takeChanged()],
    state: toSourceState(state),
    mode,
  };
}

type Step = { readonly record: LogRecord } | { readonly offset: number; readonly reason: string };

/** Records and unreadable offsets as they follow in the log. */
function* inOffsetOrder(read: LogRead): Generator<Step> {
  let next: number = read.fromOffset;
  const ranges = [...read.unreadable].sort((left, right) => left.fromOffset - right.fromOffset);
  for (const record of read.records) {
    for (; next < record.offset; next += 1) yield { offset: next, reason: reasonAt(ranges, next) };
    yield { record };
    next = record.offset + 1;
  }
  for (; next <= read.toOffset; next += 1) yield { offset: next, reason: reasonAt(ranges, next) };
}

function reasonAt(ranges: LogRead["unreadable"], offset: number): string {
  return (
    ranges.find((range) => range.fromOffset <= offset && offset <= range.toOffset)?.reason ?? "not in the log"
  );
}

function receivedRange(records: readonly LogRecord[]): Pick<CommitInput, "receivedMinMs" | "receivedMaxMs"> {
  const first = records[0]?.receivedTimeMs ?? 0;
  let [receivedMinMs, receivedMaxMs] = [first, first];
  for (const { receivedTimeMs } of records) {
    receivedMinMs = Math.min(receivedMinMs, receivedTimeMs);
    receivedMaxMs = Math.max(receivedMaxMs, receivedTimeMs);
  }
  return { receivedMinMs, receivedMaxMs };
}

function addExcluded(state: BatchState): void {
  for (const [table, rows] of Object.entries(state.gold.takeExcluded())) {
    state.excluded[table] = (state.excluded[table] ?? 0) + rows;
  }
}
