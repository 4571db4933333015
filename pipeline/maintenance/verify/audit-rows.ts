import { hash } from "node:crypto";
import { parseStoredSettings } from "#storage/log/settings-record.ts";
import type { SnapshotId, SourceName } from "#storage/model/brand.ts";
import type { LakeReader } from "#storage/model/lake.ts";
import type { ResultSettings } from "#storage/model/settings.ts";
import { type CellValue, type TableDef } from "#storage/model/table.ts";
import {
  numberCell,
  optionalTextCell,
  type OrderedRow,
  rowsInOrder,
  textCell,
} from "../../batch/rows-in-order.ts";
import { GOLD_COLUMNS, toGoldInput } from "../../batch/silver-for-gold.ts";
import { bronzeTable } from "../../bronze/bronze-table.ts";
import { letterKey } from "../../dead-letter/letter-key.ts";
import {
  controlTable,
  deadLettersTable,
  discardsTable,
  lateArrivalsTable,
} from "../../dead-letter/record-tables.ts";
import type { GoldInput } from "../../gold/gold-table.ts";
import { silverTable } from "../../silver/silver-table.ts";

/** Everything that the lake says of one offset. */
export type AuditRow = {
  readonly offset: number;
  /** Tables among bronze, dead_letters, discards and control that hold the offset; exactly one should. */
  readonly homes: ("bronze" | "dead_letter" | "discard" | "control")[];
  stream: string;
  kind: string;
  /** Of the stored bytes where the table keeps them, else as the table says; null for an unreadable offset. */
  sha256: string | null;
  bronze: { readonly id: string; readonly eventTimeUs: number } | null;
  silver: { readonly id: string; readonly late: boolean; readonly input: GoldInput } | null;
  /** `key`: by what the letter, or its repeat, is recognised ({@link letterKey}). */
  letter: { readonly statedSha256: string; readonly ruleId: string; readonly key: string } | null;
  discard: { readonly reason: string; readonly id: string | null; readonly key: string } | null;
  settings: ResultSettings | null;
  isLateArrival: boolean;
};

/** Offsets joined at a time; bronze and dead letters come with their bytes, so about 25 MB of usual records. */
const CHUNK_OFFSETS = 10_000;

type Fill = (row: AuditRow, cells: readonly CellValue[], ordered: OrderedRow) => void;
type Part = { readonly table: TableDef; readonly columns: readonly string[]; readonly fill: Fill };

const PARTS: readonly Part[] = [
  {
    table: bronzeTable,
    columns: ["stream", "record_kind", "id", "event_time", "raw", "raw_bytes"],
    fill: (row, [stream, kind, id, eventTime, raw, rawBytes]) => {
      row.homes.push("bronze");
      row.stream = textCell(stream);
      row.kind = textCell(kind);
      row.bronze = { id: textCell(id), eventTimeUs: numberCell(eventTime) };
      row.sha256 = sha256Of(raw, rawBytes);
    },
  },
  {
    table: deadLettersTable,
    columns: ["stream", "record_kind", "sha256", "rule_id", "trace", "raw", "raw_bytes"],
    fill: (row, [stream, kind, sha256, ruleId, trace, raw, rawBytes]) => {
      row.homes.push("dead_letter");
      row.stream = textCell(stream);
      row.kind = textCell(kind);
      const stated = textCell(sha256);
      const key = letterKey(row.kind, stated, textCell(trace));
      row.letter = { statedSha256: stated, ruleId: textCell(ruleId), key };
      row.sha256 = sha256Of(raw, rawBytes);
    },
  },
  {
    table: discardsTable,
    columns: ["stream", "record_kind", "reason", "id", "sha256", "detail"],
    fill: (row, [stream, kind, reason, id, sha256, detail]) => {
      row.homes.push("discard");
      row.stream = textCell(stream);
      row.kind = textCell(kind);
      row.sha256 = optionalTextCell(sha256);
      const key = letterKey(row.kind, row.sha256 ?? "", textCell(detail));
      row.discard = { reason: textCell(reason), id: optionalTextCell(id), key };
    },
  },
  {
    table: controlTable,
    columns: ["record_kind", "body", "sha256"],
    fill: (row, [kind, body, sha256]) => {
      row.homes.push("control");
      row.kind = textCell(kind);
      row.sha256 = textCell(sha256);
      if (row.kind === "settings") row.settings = parseStoredSettings(textCell(body));
    },
  },
  {
    table: silverTable,
    columns: [...GOLD_COLUMNS, "id", "late"],
    fill: (row, cells, ordered) => {
      const [id, late] = cells.slice(GOLD_COLUMNS.length);
      row.silver = { id: textCell(id), late: late === true, input: toGoldInput(ordered) };
    },
  },
  {
    table: lateArrivalsTable,
    columns: [],
    fill: (row) => {
      row.isLateArrival = true;
    },
  },
];

/** Every offset that any append table holds, up to `toOffset`, in order; rows of all tables of one offset together. */
export async function* auditRows(
  reader: LakeReader,
  source: SourceName,
  toOffset: number,
  at: SnapshotId,
): AsyncGenerator<AuditRow> {
  for (let from = 1; from <= toOffset; from += CHUNK_OFFSETS) {
    const to = Math.min(from + CHUNK_OFFSETS - 1, toOffset);
    const rows = new Map<number, AuditRow>();
    for (const { table, columns, fill } of PARTS) {
      const wanted = { source, columns, fromOffset: from, toOffset: to, at };
      for await (const chunk of rowsInOrder(reader, table, wanted)) {
        for (const ordered of chunk) fill(rowAt(rows, ordered.offset), ordered.cells, ordered);
      }
    }
    yield* [...rows.values()].sort((left, right) => left.offset - right.offset);
  }
}

function rowAt(rows: Map<number, AuditRow>, offset: number): AuditRow {
  let row = rows.get(offset);
  if (row === undefined) {
    row = {
      offset,
      homes: [],
      stream: "",
      kind: "",
      sha256: null,
      bronze: null,
      silver: null,
      letter: null,
      discard: null,
      settings: null,
      isLateArrival: false,
    };
    rows.set(offset, row);
  }
  return row;
}

/** Of the original bytes: those beside the text where it was changed, else the text itself. */
function sha256Of(raw: CellValue | undefined, rawBytes: CellValue | undefined): string {
  const bytes = rawBytes instanceof Uint8Array ? rawBytes : raw;
  return hash("sha256", bytes instanceof Uint8Array ? bytes : textCell(bytes), "hex");
}
