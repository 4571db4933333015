import type { Offset } from "../model/brand.ts";
import { offsetAfter, toOffset } from "../model/brand.ts";
import type { LogRead } from "../model/log.ts";
import type { LogRecord } from "../model/record.ts";
import type { BlockRead } from "./segment-reader.ts";

type Unreadable = LogRead["unreadable"][number];

/** Collects one read of the log: every offset from the first on ends in `records` or in `unreadable`, without a hole. */
export type ReadAccount = {
  /** The next offset to account for. */
  readonly next: () => Offset;
  readonly isFull: () => boolean;
  /**
   * Takes what the segment gave for {@link ReadAccount.next}. Offsets that it skipped, and all up to `segmentEnd` when
   * it gave nothing, are unreadable.
   */
  readonly takeBlock: (block: BlockRead | null, segmentEnd: Offset) => void;
  readonly finish: () => LogRead;
};

/** An empty account that is full at `maxRecords` records or once `maxBytes` of data are in it (at least one record). */
export function createReadAccount(from: Offset, maxRecords: number, maxBytes: number): ReadAccount {
  const records: LogRecord[] = [];
  const unreadable: Unreadable[] = [];
  const limit = Math.max(1, maxRecords);
  let next = from;
  let bytes = 0;
  let full = false;

  const skip = (toOffset: Offset, reason: string): void => {
    const last = unreadable.at(-1);
    if (last !== undefined && last.toOffset + 1 === next && last.reason === reason)
      unreadable[unreadable.length - 1] = { ...last, toOffset };
    else unreadable.push({ fromOffset: next, toOffset, reason });
    next = offsetAfter(toOffset);
  };
  const takeRecords = (block: Extract<BlockRead, { kind: "records" }>, segmentEnd: Offset): void => {
    for (let index = next - block.fromOffset; index < block.records.length; index += 1) {
      const record = block.records[index];
      // Beyond the end: appended after this read began, or given again to a newer segment when the tail was lost.
      if (record === undefined || record.offset > segmentEnd) break;
      if (records.length > 0 && bytes + record.data.length > maxBytes) {
        full = true;
        break;
      }
      records.push(record);
      bytes += record.data.length;
      next = offsetAfter(record.offset);
      if (records.length >= limit) {
        full = true;
        break;
      }
    }
  };
  return {
    next: () => next,
    isFull: () => full,
    takeBlock: (block, segmentEnd) => {
      if (block === null || block.fromOffset > segmentEnd) {
        skip(segmentEnd, "the log holds no readable record here");
        return;
      }
      if (block.fromOffset > next)
        skip(toOffset(block.fromOffset - 1), "the log holds no readable record here");
      if (block.kind === "records") takeRecords(block, segmentEnd);
      else skip(toOffset(Math.min(block.toOffset, segmentEnd)), block.reason);
    },
    finish: () => ({ fromOffset: from, toOffset: toOffset(next - 1), records, unreadable }),
  };
}
