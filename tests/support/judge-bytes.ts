import { type Dump, rowsOf, shaOf } from "./dump-lake.ts";

/** Throws unless every dead letter that was kept whole has the bytes that its stored SHA-256 says. */
export function compareDeadLetterBytes(dump: Dump): void {
  for (const row of rowsOf(dump, "main.dead_letters")) {
    if (row["record_kind"] === "oversized") continue; // only the head is kept
    if (row["sha256"] !== shaOf(row))
      throw new Error(`dead letter ${String(row["log_offset"])} has other bytes than those received`);
  }
}
