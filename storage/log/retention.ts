import { rmSync, statSync } from "node:fs";
import { dirname } from "node:path";
import type { Offset } from "../model/brand.ts";
import { offsetAfter, toOffset } from "../model/brand.ts";
import type { LogRetention, RemovedSegment } from "../model/log.ts";
import { failpoint } from "../failpoint/failpoint.ts";
import { fsyncFolder } from "../files/write-file-atomic.ts";
import { readClosedSegment } from "./inspect-segment.ts";
import type { SegmentFile } from "./segment-path.ts";
import { segmentBytes } from "./segment-bytes.ts";
import { SIDE_FILES } from "./segment-path.ts";

/** What retention knows of a segment. */
export type KeptSegment = RemovedSegment & { readonly lastReceivedMs: number };

/**
 * Which segments may go, given all but the newest in the order of their offsets: the longest run from the oldest on,
 * wholly before `keepFrom`, of which each is older than `keepMs` or the log is still beyond `keepBytes`. A run, so that
 * the log never has a hole. `newestBytes` counts toward the size, but the newest segment itself never goes.
 */
export function planRetention(
  closed: readonly KeptSegment[],
  newestBytes: number,
  { keepFrom, keepMs, keepBytes, nowMs }: LogRetention,
): readonly KeptSegment[] {
  let totalBytes = newestBytes + closed.reduce((sum, segment) => sum + segment.bytes, 0);
  const due: KeptSegment[] = [];
  for (const segment of closed) {
    const old = nowMs - segment.lastReceivedMs > keepMs;
    if (segment.toOffset >= keepFrom || !(old || totalBytes > keepBytes)) break;
    due.push(segment);
    totalBytes -= segment.bytes;
  }
  return due;
}

/** Facts of closed segments that were looked up before; they never change, and each look costs an open. */
export type ClosedFacts = Map<string, ReturnType<typeof readClosedSegment>>;

/** Describes all but the newest; one whose content cannot be read is known by its name, its successor and its file time. */
export function describeClosed(files: readonly SegmentFile[], facts: ClosedFacts): readonly KeptSegment[] {
  return files.slice(0, -1).map(({ path, fromOffset }, index) => {
    const next = files[index + 1]?.fromOffset ?? offsetAfter(fromOffset);
    if (!facts.has(path)) facts.set(path, readClosedSegment(path));
    const state = facts.get(path);
    return {
      path,
      fromOffset,
      toOffset: state?.head ?? lastBefore(next),
      bytes: segmentBytes(path),
      lastReceivedMs: state?.lastReceivedMs ?? statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? 0,
    };
  });
}

function lastBefore(next: Offset): Offset {
  return toOffset(Math.max(0, next - 1));
}

/**
 * Unlinks one segment, the database before its side files: without it they mean nothing, and the next open sweeps
 * them. False when the system refuses (a reader holds it on Windows); retention then tries again next time.
 */
export function removeSegment(path: string): boolean {
  failpoint("log-retention-before-unlink");
  try {
    rmSync(path, { force: true });
    failpoint("log-retention-mid-unlink");
    for (const ending of SIDE_FILES) rmSync(path + ending, { force: true });
  } catch {
    return false;
  }
  fsyncFolder(dirname(path));
  return true;
}
