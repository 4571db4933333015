import type { SourceName } from "#storage/model/brand.ts";
import { identityLanes } from "#storage/lake/hash/row-hash.ts";
import type { SourceState } from "#storage/model/lake.ts";
import type { LedgerEntry, LedgerHop } from "#storage/model/ledger.ts";
import { SettingsHistory } from "../../batch/settings-history.ts";
import { Watermark } from "../../batch/watermark.ts";
import { Dedup } from "../../dedup/dedup.ts";
import { LedgerAccount } from "../../ledger/account.ts";
import type { VerifyCheck } from "../../protocol/query-messages.ts";
import type { AuditRow } from "./audit-rows.ts";
import { Check } from "./check.ts";
import { checkLedger } from "./ledger-check.ts";
import { SeenIds } from "./seen-ids.ts";

/** What the audit must end at. */
export type AuditTarget = { readonly state: SourceState; readonly ledger: readonly LedgerEntry[] };

const REASON_HOPS: Readonly<Record<string, LedgerHop>> = {
  filtered: "filtered",
  duplicate: "duplicate",
  repeat: "repeat",
  unreadable: "unreadable",
};

/** One pass over all offsets that decides watermark, lateness, dedup and ledger anew, from the rows alone. */
export class Audit {
  readonly settings = new SettingsHistory();
  readonly #source: SourceName;
  readonly #contiguous = new Check(
    "I1",
    "every offset is in exactly one of bronze, dead_letters, discards, control",
  );
  readonly #silver = new Check("silver", "every bronze row has exactly one silver row that says the same");
  readonly #time = new Check(
    "watermark",
    "watermark and lateness of every row follow from the rows before it",
  );
  readonly #late = new Check("late", "late rows, and only they, are in late_arrivals");
  readonly #dedup = new Check(
    "dedup",
    "no id is in bronze twice within the horizon, and every discard repeats something",
  );
  readonly #bytes = new Check("bytes", "dead letters keep the bytes that their hash names");
  readonly #account = new LedgerAccount();
  readonly #memory = new Dedup();
  readonly #watermark = new Watermark(null, null);
  readonly #seen = new SeenIds();
  #next = 1;
  #rows = 0;
  #beyondHorizon = 0;

  constructor(source: SourceName) {
    this.#source = source;
  }

  see(row: AuditRow): void {
    this.#rows += 1;
    this.#seeOffset(row);
    this.#memory.advance(this.#watermark.us);
    this.#count(row);
    if (row.settings !== null) {
      this.settings.put(row.offset, row.settings);
      this.#countEvicted(row, this.#memory.applyCap(row.settings));
    }
    if (row.discard !== null) this.#seeDiscard(row, row.discard);
    if (row.letter !== null) this.#seeLetter(row, row.letter);
    this.#seeBronze(row);
  }

  finish({ state, ledger }: AuditTarget): readonly VerifyCheck[] {
    const missing = state.checkpoint + 1 - this.#next;
    const end = `ends at ${this.#next - 1}, checkpoint ${state.checkpoint}`;
    if (missing > 0) this.#contiguous.lost(end, missing);
    if (missing < 0) this.#contiguous.fault(end);
    if (this.#watermark.us !== state.watermarkUs)
      this.#time.fault(`stored ${state.watermarkUs}, recomputed ${this.#watermark.us}`);
    const horizon = this.#memory.firstIdOffset() ?? state.checkpoint + 1;
    if (horizon !== state.horizonOffset)
      this.#dedup.fault(`stored H ${state.horizonOffset}, recomputed ${horizon}`);
    const rows = `${this.#rows} offsets`;
    return [
      this.#contiguous.done(rows),
      this.#silver.done(rows),
      this.#time.done(rows),
      this.#late.done(rows),
      this.#dedup.done(`${rows}, ${this.#beyondHorizon} repeats beyond the horizon`),
      this.#bytes.done(rows),
      checkLedger(this.#source, this.#account.entries(this.#source), ledger),
    ];
  }

  #seeOffset({ offset, homes }: AuditRow): void {
    for (; this.#next < offset; this.#next += 1) this.#contiguous.lost(`${this.#next} in no table`);
    if (homes.length === 0) this.#contiguous.lost(`${offset} in no table`);
    if (homes.length > 1) this.#contiguous.doubled(`${offset} in ${homes.join(", ")}`);
    this.#next = offset + 1;
  }

  #count(row: AuditRow): void {
    const identity = identityLanes(this.#source, row.offset, row.sha256);
    const add = (hop: LedgerHop): void => this.#account.add(row.stream, hop, identity);
    add("received");
    if (row.bronze !== null) add("bronze");
    if (row.silver !== null) add("silver");
    if (row.isLateArrival) add("late");
    if (row.letter !== null) add("dead_letter");
    if (row.homes.includes("control")) add("control");
    const hop = REASON_HOPS[row.discard?.reason ?? ""];
    if (hop !== undefined) add(hop);
  }

  #seeDiscard(row: AuditRow, discard: NonNullable<AuditRow["discard"]>): void {
    const { reason, id, key } = discard;
    if (reason === "duplicate" && id !== null) {
      const isKnown = isAmending(row) ? this.#seen.has(id) : this.#memory.isDuplicate(id);
      if (!isKnown) this.#dedup.lost(`${row.offset} discarded as a duplicate of nothing: ${id}`);
    } else if (reason === "repeat" && !this.#memory.isRepeat(key)) {
      this.#dedup.lost(`${row.offset} discarded as the repeat of no dead letter`);
    }
  }

  #seeLetter(row: AuditRow, { statedSha256, key }: NonNullable<AuditRow["letter"]>): void {
    if (statedSha256 !== row.sha256) this.#bytes.fault(`${row.offset}`);
    if (!isAmending(row) && this.#memory.isRepeat(key))
      this.#dedup.doubled(`${row.offset} is a repeated dead letter`);
    const { inForce } = this.settings;
    this.#countEvicted(row, this.#memory.holdLetter(key, row.offset, this.#watermark.us, inForce));
  }

  #seeBronze(row: AuditRow): void {
    const { offset, bronze, silver, isLateArrival } = row;
    if (bronze === null || silver === null) {
      if (bronze !== silver) this.#silver.fault(`${offset} is in one of the two only`);
      if (isLateArrival) this.#late.fault(`${offset} is late without a silver row`);
      return;
    }
    if (bronze.id !== silver.id || bronze.eventTimeUs !== silver.input.eventTimeUs)
      this.#silver.fault(`${offset}`);
    this.#seeId(row, bronze.id);
    const placed = this.#watermark.place(bronze.eventTimeUs);
    const isSame =
      placed.watermarkUs === silver.input.watermarkUs &&
      placed.late === silver.late &&
      placed.latenessMs === silver.input.latenessMs;
    if (!isSame) this.#time.fault(`${offset}`);
    if (isLateArrival !== placed.late) this.#late.fault(`${offset}`);
    const { inForce } = this.settings;
    const after = this.#watermark.advance(bronze.eventTimeUs, inForce.allowedLatenessMs);
    this.#countEvicted(row, this.#memory.holdId(bronze.id, offset, after, inForce));
  }

  #seeId(row: AuditRow, id: string): void {
    const isOld = this.#seen.has(id);
    if (this.#memory.isDuplicate(id) || (isOld && isAmending(row)))
      this.#dedup.doubled(`${row.offset}: ${id} again`);
    else if (isOld) this.#beyondHorizon += 1;
    this.#seen.add(id);
  }

  #countEvicted(row: AuditRow, offsets: readonly number[]): void {
    for (const offset of offsets) {
      this.#account.add(row.stream, "horizon_evicted", identityLanes(this.#source, offset, null));
    }
  }
}

function isAmending({ kind }: AuditRow): boolean {
  return kind === "redrive" || kind === "repair";
}
