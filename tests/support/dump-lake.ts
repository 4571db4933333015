import { hash } from "node:crypto";
import type { SnapshotId } from "#storage/model/brand.ts";
import type { LakeReader } from "#storage/model/lake.ts";
import { type CellValue, qualifiedName, type TableDef } from "#storage/model/table.ts";
import { letterKey } from "#pipeline/dead-letter/letter-key.ts";
import { type DataFolder } from "#storage/files/data-folder.ts";
import { openLakeReader } from "#storage/lake/read/lake-reader.ts";

/** One row as plain values: text as text, blobs as hex with a mark. */
export type DumpedRow = Readonly<Record<string, string | number | boolean | null>>;

/** All rows of all tables at one snapshot, by `schema.name`. */
export type Dump = ReadonlyMap<string, readonly DumpedRow[]>;

/** Opens the product's own reader on a folder. */
export function openReader(folder: DataFolder): LakeReader {
  return openLakeReader({ catalogPath: folder.catalog, lakeData: folder.lakeData, tempFolder: folder.tmp });
}

/** Reads every row of every table through the product's own reader, from the data and not from stored hashes. */
export async function dumpLake(folder: DataFolder, at?: SnapshotId): Promise<Dump> {
  const reader = openReader(folder);
  try {
    const snapshot = at ?? reader.latest();
    const dump = new Map<string, readonly DumpedRow[]>();
    for (const table of reader.tables(snapshot)) {
      dump.set(qualifiedName(table), await readRows(reader, table, snapshot));
    }
    return dump;
  } finally {
    await reader.close();
  }
}

/** Rows of one table of a dump. Throws where the table is not there, so that a check never passes on nothing. */
export function rowsOf(dump: Dump, table: string): readonly DumpedRow[] {
  const rows = dump.get(table);
  if (rows === undefined) throw new Error(`no table ${table} in the lake (${[...dump.keys()].join(", ")})`);
  return rows;
}

async function readRows(reader: LakeReader, table: TableDef, at: SnapshotId): Promise<readonly DumpedRow[]> {
  const rows: DumpedRow[] = [];
  for await (const batch of reader.scan(table, { at })) {
    for (let index = 0; index < batch.rowCount; index += 1) {
      rows.push(
        Object.fromEntries(
          batch.table.columns.map((column, at) => [
            column.name,
            plain(batch.columns[at]?.[index] ?? null, column.type === "blob"),
          ]),
        ),
      );
    }
  }
  return rows;
}

function plain(cell: CellValue, isBlob: boolean): string | number | boolean | null {
  if (!(cell instanceof Uint8Array)) return cell;
  return isBlob ? `hex:${Buffer.from(cell).toString("hex")}` : Buffer.from(cell).toString("utf8");
}

/** The bytes that a bronze row or dead letter keeps, as they were received. */
export function bytesOf(row: DumpedRow): Buffer {
  const raw = row["raw_bytes"];
  if (typeof raw === "string") return Buffer.from(raw.slice("hex:".length), "hex");
  return Buffer.from(String(row["raw"]), "utf8");
}

/** SHA-256 of {@link bytesOf}, hex. */
export function shaOf(row: DumpedRow): string {
  return hash("sha256", bytesOf(row));
}

/** SHA-256 of the whole frame of a dead letter or discard, hex: of an oversized one only the head is kept. */
export function setAsideSha(row: DumpedRow): string {
  return letterKey(String(row["record_kind"]), String(row["sha256"]), String(row["trace"] ?? row["detail"]));
}
