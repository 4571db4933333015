import { rm } from "node:fs/promises";
import { basename, join } from "node:path";
import { makeWorkFolder } from "../duckdb/work-folder.ts";
import type { SnapshotId } from "../model/brand.ts";
import {
  type Copied,
  type CopyProgress,
  type ExportContext,
  type ExportedThing,
  type ExportFormat,
  openExportDuckDb,
} from "./export-copy.ts";
import { allowedTarget, moveFile } from "./export-files.ts";
import { manifestBeside, writeManifest } from "./export-manifest.ts";
import { describeExport } from "./describe-export.ts";

/** What to write where. */
export type ExportRequest = {
  readonly what: ExportedThing;
  readonly asOf: number | null;
  readonly path: string;
  readonly format: ExportFormat;
  /** Name and version of the program, for the manifest. */
  readonly writtenBy: string;
};

/** A finished file, with its manifest beside it. `sha256` in hex, of the whole file. */
export type ExportResult = {
  readonly snapshotId: SnapshotId;
  readonly path: string;
  readonly manifestPath: string;
  readonly rows: number;
  /** Rows of open windows among them, which may still change (column `state`); null for a statement. */
  readonly openRows: number | null;
  readonly bytes: number;
  readonly sha256: string;
};

/**
 * Writes the result with a DuckDB of its own into the data folder's tmp/, then moves it to its target in one step: the target
 * is the old file or the whole new one. The same snapshot gives the same bytes. Throws `export-failed` (target not allowed,
 * disk), and as a statement does.
 */
export async function exportResult(
  context: ExportContext,
  request: ExportRequest,
  signal: AbortSignal,
  onProgress?: CopyProgress,
): Promise<ExportResult> {
  const { what, format, writtenBy } = request;
  const target = allowedTarget(context.folder, request.path);
  const work = await makeWorkFolder(context.folder.tmp, "export");
  try {
    const file = join(work, `result.${format}`);
    const copied = await copyOne(context, { what, format, file, work }, signal, onProgress);
    const written = await moveFile(file, target, signal);
    const manifestPath = manifestBeside(target);
    const exported = { file: basename(target), ...copied, ...written };
    await writeManifest(manifestPath, describeExport(context, { format, writtenBy, files: [exported] }));
    const { rows, openRows } = copied;
    return { snapshotId: context.at, path: target, manifestPath, rows, openRows, ...written };
  } finally {
    await rm(work, { recursive: true, force: true });
  }
}

async function copyOne(
  context: ExportContext,
  { what, format, file, work }: Pick<ExportRequest, "what" | "format"> & { file: string; work: string },
  signal: AbortSignal,
  onProgress?: CopyProgress,
): Promise<Copied> {
  const duckdb = await openExportDuckDb(context, work);
  try {
    return await duckdb.copy(what, file, format, signal, onProgress);
  } finally {
    await duckdb.close();
  }
}
