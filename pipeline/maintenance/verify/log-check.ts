import { hash } from "node:crypto";
import { toOffset } from "#storage/model/brand.ts";
import { AppError } from "#storage/model/errors.ts";
import type { LogRead, LogReader } from "#storage/model/log.ts";
import type { VerifyCheck } from "../../protocol/query-messages.ts";
import type { AuditRow } from "./audit-rows.ts";
import { Check } from "./check.ts";

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
  #page = new Map<number, string>();
  #pageEnd = 0;
  #compared = 0;

  constructor(log: LogReader) {
    this.#log = log;
    this.#tail = log.tail();
  }

  /** Rows must come in offset order, without holes (I1 is another check). */
  see(row: AuditRow): void {
    if (row.offset < this.#tail) return;
    if (row.offset > this.#pageEnd) this.#turnTo(row.offset);
    if (row.offset < this.#tail) return;
    const sha256 = this.#page.get(row.offset);
    if (sha256 === undefined) {
      if (row.sha256 !== null) this.#check.unknown(`${row.offset} cannot be read in the log any more`);
      return;
    }
    this.#compared += 1;
    if (row.sha256 !== sha256)
      this.#check.fault(`${row.offset}: log ${sha256}, lake ${row.sha256 ?? "unreadable"}`);
  }

  finish(): VerifyCheck {
    return this.#check.done(`${this.#compared} records compared, from offset ${this.#tail}`);
  }

  #turnTo(offset: number): void {
    const read = this.#read(offset);
    this.#page = new Map(read?.records.map((record) => [record.offset, hash("sha256", record.data, "hex")]));
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
