import { mkdirSync, renameSync, rmSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import type { Offset, SourceName } from "../model/brand.ts";
import { fsyncFolder, systemErrorCode } from "../files/write-file-atomic.ts";
import { inspectSegment } from "./inspect-segment.ts";
import type { SegmentFile } from "./segment-path.ts";
import { listOrphanSideFiles, listSegmentFiles, SIDE_FILES } from "./segment-path.ts";
import type { SegmentState } from "./segment-state.ts";

/** A segment that was set aside because it could not be read. */
export type QuarantinedSegment = {
  readonly path: string;
  readonly movedTo: string;
  readonly fromOffset: Offset;
  readonly reason: string;
};

/** What a writer found when it took the log over; to be told to the user. */
export type LogTakeover = {
  readonly quarantined: readonly QuarantinedSegment[];
  /** Offsets that the lake has consumed, or a segment set aside held, but the log no longer holds; null normally. */
  readonly tailLost: { readonly fromOffset: Offset; readonly toOffset: Offset } | null;
};

/** Where a writer goes on: the newest readable segment, or null for a log without one. */
export type TakenOver = {
  readonly newest: { readonly path: string; readonly state: SegmentState } | null;
  readonly quarantined: readonly QuarantinedSegment[];
};

/**
 * Finds the segment to go on with. Newer ones that hold nothing (killed in mid-rotation) are removed; newer ones that
 * cannot be read are moved to `quarantine`, never deleted. Each step is whole by itself, so a kill in between is
 * repaired by the next start.
 */
export function takeOverLog(
  folder: string,
  source: SourceName,
  quarantine: string,
  nowMs: number,
): TakenOver {
  for (const path of listOrphanSideFiles(folder)) rmSync(path, { force: true });
  const quarantined: QuarantinedSegment[] = [];
  for (const file of listSegmentFiles(folder).toReversed()) {
    const found = inspectSegment(file);
    if (found.state === "whole") return { newest: { path: file.path, state: found.segment }, quarantined };
    if (found.state === "unfinished") removeUnfinished(file.path);
    else
      quarantined.push(
        quarantineSegment(file, found.reason, join(quarantine, `log-${source}-${Math.trunc(nowMs)}`)),
      );
  }
  return { newest: null, quarantined };
}

/** Removes a segment whose first transaction never happened. Nothing else may have it open for writing. */
export function removeUnfinished(path: string): void {
  // Side files first: SQLite would take an old WAL for the new file's when the name is used again.
  for (const ending of SIDE_FILES) rmSync(path + ending, { force: true });
  rmSync(path, { force: true });
  fsyncFolder(dirname(path));
}

function quarantineSegment(file: SegmentFile, reason: string, target: string): QuarantinedSegment {
  mkdirSync(target, { recursive: true, mode: 0o700 });
  // The WAL goes first: killed in between, the rest is looked at again; a WAL without its database would be swept.
  for (const ending of [...SIDE_FILES, ""])
    moveIfThere(file.path + ending, join(target, basename(file.path + ending)));
  fsyncFolder(target);
  fsyncFolder(dirname(file.path));
  return { path: file.path, movedTo: join(target, basename(file.path)), fromOffset: file.fromOffset, reason };
}

function moveIfThere(from: string, to: string): void {
  try {
    renameSync(from, to);
  } catch (error) {
    if (systemErrorCode(error) !== "ENOENT") throw error;
  }
}
