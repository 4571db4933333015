import type { Hold } from "./live-window.ts";

/**
 * Where a held window stood: outlives the window, since the rows are in the lake and are fetched again by their offsets.
 * A window that follows has no place; it is at the newest row.
 */
export type LivePlace = {
  /** The lake that the offsets are of; in another one they mean other records. */
  readonly lake: string;
  readonly hold: Hold;
  /** Row at the upper edge; null = the newest of the held ones. */
  readonly topOffset: number | null;
  readonly selectedOffset: number | null;
};

function isOffset(value: unknown): value is number {
  return typeof value === "number" && Number.isSafeInteger(value) && value > 0;
}

function readHold(value: unknown): Hold | null {
  if (typeof value !== "object" || value === null) return null;
  const { reason, atOffset, rowsToOffset }: Record<string, unknown> = { ...value };
  if (reason !== "user" && reason !== "row" && reason !== "scroll") return null;
  if (!isOffset(atOffset)) return null;
  return { reason, atOffset, rowsToOffset: typeof rowsToOffset === "number" ? rowsToOffset : null };
}

/** The place as it was remembered, or null where it is none. */
export function readPlace(value: unknown): LivePlace | null {
  if (typeof value !== "object" || value === null) return null;
  const { lake, hold: kept, topOffset, selectedOffset }: Record<string, unknown> = { ...value };
  const hold = readHold(kept);
  if (hold === null || typeof lake !== "string") return null;
  return {
    lake,
    hold,
    topOffset: isOffset(topOffset) ? topOffset : null,
    selectedOffset: isOffset(selectedOffset) ? selectedOffset : null,
  };
}
