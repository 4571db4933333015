import type { NoteBody } from "#storage/model/record.ts";
import type { AskedRange } from "../ledger/gaps.ts";
import type { Decoded } from "../protocol/change.ts";

/** The hole that a note says was asked for; null for any other note. */
export function readAskedGap(decoded: Decoded): AskedRange | null {
  if (!decoded.readable || decoded.value["note"] !== "gap-asked") return null;
  const { topic, partition, fromOffset, toOffset } = decoded.value;
  if (typeof topic !== "string" || typeof partition !== "number") return null;
  if (typeof fromOffset !== "number" || typeof toOffset !== "number") return null;
  return { topic, partition, fromOffset, toOffset };
}

/** Notes that say that records may be missing. */
type Loss =
  | Extract<NoteBody, { note: "log-tail-lost" }>
  | Pick<Extract<NoteBody, { note: "resume-refused" }>, "note" | "status" | "sinceMs">;

/** The loss that a note tells; null for any other note. */
export function readLoss(decoded: Decoded): Loss | null {
  if (!decoded.readable) return null;
  const { note, fromOffset, toOffset, status, sinceMs } = decoded.value;
  if (note === "log-tail-lost" && isCount(fromOffset) && isCount(toOffset))
    return { note, fromOffset, toOffset };
  if (note === "resume-refused" && isCount(status) && isCount(sinceMs) && sinceMs <= MAX_TIME_MS)
    return { note, status, sinceMs };
  return null;
}

/** The last time that a date can stand for. */
const MAX_TIME_MS = 8_640_000_000_000_000;

function isCount(value: unknown): value is number {
  return typeof value === "number" && Number.isSafeInteger(value) && value >= 0;
}
