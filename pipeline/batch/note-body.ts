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
