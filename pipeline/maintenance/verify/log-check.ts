import { hash } from "node:crypto";
import { toOffset } from "#storage/model/brand.ts";
import { AppError } from "#storage/model/errors.ts";
import type { LogRead, LogReader } from "#storage/model/log.ts";
import type { VerifyCheck } from "../../protocol/query-messages.ts";
import type { AuditRow } from "./audit-rows.ts";
import { Check } from "./check.ts";
import { checkFirstHop } from "./first-hop-check.ts";

const PAGE_RECORDS = 2_000;
const PAGE_BYTES = 16 * 1_048_576;

/** Compares the lake with what the log still keeps, record by record: received equals the sum of where records ended. */
export class LogCheck {
  readonly #log: LogReader;
  readonly #check = new Check(
    "log",
    "every record that the log still keeps is in the lake, with the same bytes",
  );
  #tail: number;
  #page = new Map<number, { readonly sha256: string; readonly bytes: number }>();
  #pageEnd = 0;
  #compared = 0;
  #comparedBytes = 0;
  #oversized = 0;

  constructor(log: LogReader) {
    this.#log = log;
    this.#tail = log.tail();
  }

  /** Rows must come in offset order, without holes (I1 is another check). */
  see(row: AuditRow): void {
    if (row.kind === "oversized") this.#oversized += 1;
    if (row.offset < this.#tail) return;
    if (row.offset > this.#pageEnd) this.#turnTo(row.offset);
    if (row.offset < this.#tail) return;
    const kept = this.#page.get(row.offset);
    if (kept === undefined) {
      if (row.sha256 !== null) this.#check.unknown(`${row.offset} cannot be read in the log any more`);
      return;
    }
    this.#compared += 1;
    this.#comparedBytes += kept.bytes;
    if (row.sha256 !== kept.sha256)
      this.#check.fault(`${row.offset}: log ${kept.sha256}, lake ${row.sha256 ?? "unreadable"}`);
  }

  /** The verdicts on what is in the lake up to `checkpoint`, and on what the first hop says it received. */
  finish(checkpoint: number): readonly VerifyCheck[] {
    const inLake = {
      checkpoint,
      oversized: this.#oversized,
      // Of a log that no longer has all records the bytes cannot be counted again.
      bytes: this.#compared === checkpoint ? this.#comparedBytes : null,
    };
    return [
      this.#check.done(`${this.#compared} records compared, from offset ${this.#tail}`),
      checkFirstHop(this.#log, inLake),
    ];
  }

  #turnTo(offset: number): void {
    const read = this.#read(offset);
    this.#page = new Map(
      read?.records.map(({ offset: at, data }) => [
        at,
        { sha256: hash("sha256", data, "hex"), bytes: data.length },
      ]),
    );
    this.#pageEnd = Math.max(read?.toOffset ?? 0, offset);
  }

  /** Retention may remove a segment meanwhile: then the log is compared from its new tail on. */
  #read(offset: number): LogRead | null {
    try {
      return this.#log.read(toOffset(offset), PAGE_RECORDS, PAGE_BYTES);
    } catch (error) {
      if (!(error instanceof AppError) || error.code !== "log-gone") throw error;
      this.#tail = this.#log.tail();
      return null;
    }
  }
}
