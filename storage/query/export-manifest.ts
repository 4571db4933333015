import { writeFileAtomic } from "../files/write-file-atomic.ts";
import type { WrittenFile } from "./export-files.ts";

/** A column of an exported file: DuckDB's type name, and whether a value may be missing. */
export type ExportedColumn = { readonly name: string; readonly type: string; readonly nullable: boolean };

/** What one file of an export holds. */
export type ExportedFile = WrittenFile & {
  /** Name of the file, without folders. */
  readonly file: string;
  readonly table: string | null;
  /** The statement as it was typed, where no table was exported. */
  readonly statement: string | null;
  readonly rows: number;
  /** Rows of settled windows and of tables without windows: the stream does not change them any more; null for a statement. */
  readonly settledRows: number | null;
  /** Rows of windows that a newer event may still change (column `state` is `open`); null for a statement. */
  readonly openRows: number | null;
  /** Columns the rows are sorted by; null where only the statement decides. */
  readonly orderedBy: readonly string[] | null;
  readonly columns: readonly ExportedColumn[];
};

/** What lies beside exported files and says what they are. Nothing in it depends on when or where the export was made. */
export type ExportManifest = {
  readonly format: "highwater-export";
  readonly formatVersion: 1;
  readonly writtenBy: string;
  readonly snapshot: { readonly id: number; readonly committed: string };
  readonly fileFormat: "parquet" | "csv" | "ndjson";
  readonly files: readonly ExportedFile[];
};

/** Name of the manifest in an exported folder. */
export const MANIFEST_NAME = "manifest.json";

/** Name of the manifest of a single exported file. */
export function manifestBeside(file: string): string {
  return `${file}.${MANIFEST_NAME}`;
}

/** Writes a manifest whole; the same export gives the same bytes. */
export async function writeManifest(path: string, manifest: ExportManifest): Promise<void> {
  await writeFileAtomic(path, `${JSON.stringify(manifest, null, 2)}\n`);
}
