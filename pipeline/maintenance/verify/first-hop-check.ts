import { toOffset } from "#storage/model/brand.ts";
import { AppError } from "#storage/model/errors.ts";
import type { LogReader } from "#storage/model/log.ts";
import type { VerifyCheck } from "../../protocol/query-messages.ts";
import { Check } from "./check.ts";

/** Records and bytes read at a time. */
const PAGE_RECORDS = 2_000;
const PAGE_BYTES = 16 * 1_048_576;

/** What was found in the lake up to the checkpoint, by looking at every offset. */
export type FoundInLake = {
  readonly checkpoint: number;
  readonly oversized: number;
  /** Bytes of all records up to the checkpoint, counted in the log; null where the log no longer has all of them. */
  readonly bytes: number | null;
};

type InFlight = { records: number; bytes: number; oversized: number; unreadable: number };

/**
 * I7 for the first hop: received = what is in the lake + in flight (log head - checkpoint), counted again from the log and
 * compared with the counters that ingest stored with its records. Offsets that the counters do not cover were lost with a
 * part of the log: whether they were received cannot be told any more. What SSE drops by its own rules is named.
 */
export function checkFirstHop(log: LogReader, inLake: FoundInLake): VerifyCheck {
  const check = new Check(
    "in-flight",
    "what the first hop received is in the lake or in flight, and counted",
  );
  const { checkpoint } = inLake;
  const account = log.account();
  if (account === null) {
    check.unknown(`the log is gone; the lake holds offsets up to ${checkpoint}`);
    return check.done("no log");
  }
  const { head, counters } = account;
  if (head < checkpoint) check.unknown(`the log ends at ${head}, before the checkpoint ${checkpoint}`);
  const inFlight = countInFlight(log, checkpoint, head);
  if (inFlight.unreadable > 0) check.unknown(`${inFlight.unreadable} offsets in flight cannot be read`);
  const lost = head - counters.appended;
  if (lost > 0)
    check.unknown(
      `${lost} of ${head} offsets are not in the first hop's account: lost with a part of the log`,
    );
  if (lost < 0) check.fault(`${counters.appended} records counted, but the log ends at ${head}`);
  const isWhole = lost === 0 && inFlight.unreadable === 0 && head >= checkpoint;
  if (isWhole && inLake.bytes !== null && inLake.bytes + inFlight.bytes !== counters.appendedBytes)
    check.fault(`${counters.appendedBytes} bytes counted, ${inLake.bytes + inFlight.bytes} found`);
  return check.done(
    [
      `${counters.appended} records received (${counters.appendedBytes} bytes) over ${counters.connections} connections`,
      `${inLake.oversized + inFlight.oversized} oversized`,
      `${counters.cutFrames} cut frames dropped with their id`,
      `${counters.emptyFrames} frames without data`,
      `in flight ${Math.max(0, head - checkpoint)} (log head ${head}, checkpoint ${checkpoint})`,
    ].join(", "),
  );
}

function countInFlight(log: LogReader, checkpoint: number, head: number): InFlight {
  const found: InFlight = { records: 0, bytes: 0, oversized: 0, unreadable: 0 };
  for (let next = checkpoint + 1; next <= head;) {
    const read = readOrNull(log, next);
    if (read === null || read.toOffset < next) break;
    for (const record of read.records) {
      if (record.offset > head) continue;
      found.records += 1;
      found.bytes += record.data.length;
      if (record.kind === "oversized") found.oversized += 1;
    }
    next = read.toOffset + 1;
  }
  found.unreadable = Math.max(0, head - checkpoint) - found.records;
  return found;
}

/** What retention removed meanwhile was committed, and is not in flight any more: it counts as unreadable here. */
function readOrNull(log: LogReader, from: number): ReturnType<LogReader["read"]> | null {
  try {
    return log.read(toOffset(from), PAGE_RECORDS, PAGE_BYTES);
  } catch (error) {
    if (error instanceof AppError && error.code === "log-gone") return null;
    throw error;
  }
}
