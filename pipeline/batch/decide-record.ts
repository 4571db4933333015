import { hash } from "node:crypto";
import { identityLanes } from "#storage/lake/hash/row-hash.ts";
import type { HashLanes } from "#storage/lake/hash/word-hash.ts";
import { parseStoredSettings } from "#storage/log/settings-record.ts";
import type { LedgerHop } from "#storage/model/ledger.ts";
import type { LogRecord } from "#storage/model/record.ts";
import { appendBronzeRow } from "../bronze/bronze-row.ts";
import {
  appendControl,
  appendDeadLetter,
  appendDiscard,
  appendLateArrival,
  appendUnreadable,
} from "../dead-letter/record-rows.ts";
import { letterKey } from "../dead-letter/letter-key.ts";
import { decode } from "../decode/decode.ts";
import type { Evicted } from "../dedup/held-keys.ts";
import { canaryId, isCanary } from "../filter/canary.ts";
import type { GoldInput } from "../gold/gold-table.ts";
import { LedgerAccount } from "../ledger/account.ts";
import type { Change, Decoded, Placement, Verdict } from "../protocol/change.ts";
import { bytesChangedOf } from "../silver/bytes-changed.ts";
import { appendSilverRow } from "../silver/silver-row.ts";
import { validate } from "../validate/validate.ts";
import { type BatchRows, createBatchRows } from "./batch-rows.ts";
import type { BatchState } from "./batch-state.ts";
import { readAskedGap, readLoss } from "./note-body.ts";
import { sourcePositionOf } from "./source-position.ts";

/** Ids of bronze that redrive and repair records are checked against: all of it, not only what dedup holds. */
export type StoredIds = Set<string>;

/** True for records that amend settled windows and are checked against all of bronze. */
export function isAmending(record: LogRecord): boolean {
  return record.kind === "redrive" || record.kind === "repair";
}

/**
 * One batch while its records are being decided, in offset order. Each record ends in exactly one of bronze,
 * dead_letters, discards, control (invariant I1), and each place that sets one aside has its ledger entry (I8).
 */
export class BatchDecision {
  readonly rows: BatchRows = createBatchRows();
  readonly account = new LedgerAccount();
  /** What amending records brought, for the settled windows that they touch. */
  readonly amending: GoldInput[] = [];
  readonly #state: BatchState;
  readonly #storedIds: StoredIds;
  #identity = NO_IDENTITY;
  /** Of the bytes in hand, in hex: as a buffer each would be memory of its own for the collector to follow. */
  #sha256 = "";

  constructor(state: BatchState, storedIds: StoredIds) {
    this.#state = state;
    this.#storedIds = storedIds;
  }

  /** Decides one record: decode → filter → validate → dedup → bronze, silver, gold. */
  take(record: LogRecord): void {
    this.#sha256 = hash("sha256", record.data, "hex");
    this.#identity = identityLanes(this.#state.source, record.offset, this.#sha256);
    this.#count(record, "received");
    if (record.sourceId !== "") this.#state.sourceCursor = record.sourceId;
    this.#state.dedup.advance(this.#state.watermark.us);
    const decoded = decode(record.data);
    if (record.kind === "settings" || record.kind === "note") return this.#control(record, decoded);

    const canary = decoded.readable && isCanary(decoded.value) ? decoded.value : null;
    this.#watchGaps(record, decoded, canary !== null);
    if (canary !== null) return this.#discard(record, "filtered", "canary", canaryId(canary));

    const verdict = validate(record, decoded, this.#state.settings.inForce);
    this.#state.clock.see(record, !verdict.valid && verdict.reasonCode === "event-time-in-future");
    if (!verdict.valid) return this.#setAside(record, decoded, verdict);

    const { change } = verdict;
    if (this.#isDuplicate(record, change)) return this.#discard(record, "duplicate", "meta.id", change.id);
    this.#accept(record, decoded, change);
  }

  /** An offset whose record the log could not give back. */
  takeUnreadable(offset: number, reason: string): void {
    this.#identity = identityLanes(this.#state.source, offset, null);
    // Ids leave at every offset that the watermark allows, also at one that cannot be read: H is a function of offsets.
    this.#state.dedup.advance(this.#state.watermark.us);
    this.account.add("", "received", this.#identity);
    this.account.add("", "unreadable", this.#identity);
    appendUnreadable(this.rows.discards, this.#state.source, offset, reason);
    this.#state.gaps.seeUnreadable();
    this.#state.lost.seeUnreadable(offset);
  }

  #control(record: LogRecord, decoded: Decoded): void {
    const { text } = decoded.stored;
    const body = decoded.readable ? text : JSON.stringify({ unreadable: decoded.message });
    appendControl(this.rows.control, this.#state.source, record, body, this.#sha256);
    this.#count(record, "control");
    if (record.kind === "settings") {
      const settings = parseStoredSettings(new TextDecoder().decode(record.data));
      this.#state.settings.put(record.offset, settings);
      this.#countEvicted(record, this.#state.dedup.applyCap(settings));
      return;
    }
    const asked = readAskedGap(decoded);
    if (asked !== null) this.#state.gaps.noteAsked(asked, record.offset);
    const loss = readLoss(decoded);
    if (loss?.note === "log-tail-lost")
      this.#state.lost.seeTailLost(loss.fromOffset, loss.toOffset, record.offset);
    if (loss?.note === "resume-refused")
      this.#state.lost.seeRefused(loss.status, loss.sinceMs, record.offset);
  }

  #watchGaps(record: LogRecord, decoded: Decoded, isFiltered: boolean): void {
    // A redrive brings nothing new of the source; a plain file has holes that nobody could be asked to fill.
    if (record.kind === "redrive" || (record.kind !== "repair" && record.sourceId === "")) return;
    const position = sourcePositionOf(decoded, isFiltered);
    if (position === null) this.#state.gaps.seeUnreadable();
    else this.#state.gaps.see(position, record.offset);
  }

  #setAside(record: LogRecord, decoded: Decoded, verdict: Extract<Verdict, { valid: false }>): void {
    const { dedup, source, watermark, settings } = this.#state;
    const sha256 = this.#sha256;
    const key = letterKey(record.kind, sha256, record.detail);
    if (!isAmending(record) && dedup.isRepeat(key)) {
      // The detail of an oversized frame names all its bytes, so that the repeat can be told from a frame that begins alike.
      const detail = `${verdict.ruleId}/${verdict.reasonCode}${record.kind === "oversized" ? ` ${record.detail}` : ""}`;
      return this.#discard(record, "repeat", detail, verdict.id);
    }
    appendDeadLetter(this.rows.deadLetters, source, record, verdict, decoded, sha256);
    this.#count(record, "dead_letter");
    this.#countEvicted(record, dedup.holdLetter(key, record.offset, watermark.us, settings.inForce));
  }

  #isDuplicate(record: LogRecord, change: Change): boolean {
    return isAmending(record) ? this.#storedIds.has(change.id) : this.#state.dedup.isDuplicate(change.id);
  }

  #accept(record: LogRecord, decoded: Decoded, change: Change): void {
    const { source, watermark, settings, dedup, gold } = this.#state;
    const placement = watermark.place(change.eventTimeUs);
    appendBronzeRow(this.rows.bronze, source, record, change, decoded.stored);
    this.#count(record, "bronze");
    appendSilverRow(this.rows.silver, source, record, change, placement);
    this.#count(record, "silver");
    if (placement.late) {
      appendLateArrival(this.rows.lateArrivals, source, record, change, placement, decoded.stored);
      this.#count(record, "late");
    }
    const input = goldInputOf(record, change, placement);
    gold.add(input, settings.inForce.windows);
    if (input.amends) {
      this.amending.push(input);
      this.#storedIds.add(change.id);
    }
    const after = watermark.advance(change.eventTimeUs, settings.inForce.allowedLatenessMs);
    this.#countEvicted(record, dedup.holdId(change.id, record.offset, after, settings.inForce));
  }

  #discard(
    record: LogRecord,
    reason: "filtered" | "duplicate" | "repeat",
    detail: string,
    id: string | null,
  ): void {
    appendDiscard(this.rows.discards, this.#state.source, record, reason, detail, id, this.#sha256);
    this.#count(record, reason);
  }

  #count(record: LogRecord, hop: LedgerHop): void {
    this.account.add(record.stream, hop, this.#identity);
  }

  /** Under the stream of the record that made them leave; their bytes are not at hand, so the identity has no sha256. */
  #countEvicted(record: LogRecord, evicted: Evicted): void {
    for (const offset of evicted) {
      this.account.add(record.stream, "horizon_evicted", identityLanes(this.#state.source, offset, null));
    }
  }
}

const NO_IDENTITY: HashLanes = { high: 0, low: 0 };

function goldInputOf(record: LogRecord, change: Change, placement: Placement): GoldInput {
  return {
    logOffset: record.offset,
    eventTimeUs: change.eventTimeUs,
    watermarkUs: placement.watermarkUs,
    latenessMs: placement.latenessMs,
    type: change.type,
    wiki: change.wiki,
    title: change.title,
    user: change.user,
    bot: change.bot,
    bytesChanged: bytesChangedOf(change),
    amends: isAmending(record),
  };
}
