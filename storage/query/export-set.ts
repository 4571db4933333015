import { mkdir, readdir, rename, rm, rmdir } from "node:fs/promises";
import { dirname, join } from "node:path";
import { makeWorkFolder } from "../duckdb/work-folder.ts";
import { fsyncFolder } from "../files/write-file-atomic.ts";
import type { SnapshotId } from "../model/brand.ts";
import { AppError } from "../model/errors.ts";
import { qualifiedName } from "../model/table.ts";
import { describeExport } from "./describe-export.ts";
import { type ExportContext, type ExportFormat, openExportDuckDb } from "./export-copy.ts";
import { allowedTarget, moveFile, nameBeside, sweepBeside, writeFailed } from "./export-files.ts";
import { type ExportedFile, MANIFEST_NAME, writeManifest } from "./export-manifest.ts";

/** Tables to write into one folder: the gold tables, all of them, or those named (`schema.name`). */
export type ExportSetRequest = {
  readonly tables: "gold" | "all" | readonly string[];
  readonly asOf: number | null;
  /** Folder to be made; it must not be there yet, or be empty. */
  readonly folder: string;
  readonly format: ExportFormat;
  /** Name and version of the program, for the manifest. */
  readonly writtenBy: string;
};

/** A finished folder: one file for each table, and a manifest. */
export type ExportSetResult = {
  readonly snapshotId: SnapshotId;
  readonly folder: string;
  readonly files: readonly Pick<ExportedFile, "file" | "rows" | "openRows" | "bytes" | "sha256">[];
};

/** How far an export of several tables is, 0 to 1, and which table it is at. */
export type SetProgress = (done: number | null, what: string) => void;

/**
 * Writes tables of one snapshot into a fresh folder, which appears whole or not at all. The same snapshot gives the same bytes,
 * file by file. Throws `export-failed` (folder not empty or not allowed, disk), `table-unknown`, `statement-cancelled`.
 */
export async function exportSet(
  context: ExportContext,
  request: ExportSetRequest,
  signal: AbortSignal,
  onProgress: SetProgress = () => undefined,
): Promise<ExportSetResult> {
  const target = allowedTarget(context.folder, request.folder);
  const names = tableNames(context, request.tables);
  await wantFreshFolder(target);
  const work = await makeWorkFolder(context.folder.tmp, "export");
  const beside = nameBeside(target);
  try {
    await sweepBeside(target);
    await mkdir(beside);
    const files = await copyAll(context, { ...request, names, work, beside }, signal, onProgress);
    const { format, writtenBy } = request;
    await writeManifest(join(beside, MANIFEST_NAME), describeExport(context, { format, writtenBy, files }));
    await putInPlace(beside, target);
    return { snapshotId: context.at, folder: target, files };
  } catch (error) {
    await rm(beside, { recursive: true, force: true });
    throw writeFailed(target, error, signal);
  } finally {
    await rm(work, { recursive: true, force: true });
  }
}

type CopyAll = Pick<ExportSetRequest, "format"> & {
  readonly names: readonly string[];
  readonly work: string;
  readonly beside: string;
};

async function copyAll(
  context: ExportContext,
  { names, work, beside, format }: CopyAll,
  signal: AbortSignal,
  onProgress: SetProgress,
): Promise<readonly ExportedFile[]> {
  const duckdb = await openExportDuckDb(context, work);
  const files: ExportedFile[] = [];
  try {
    for (const [at, table] of names.entries()) {
      const done = at / names.length;
      const tell = (bytes: number): void => onProgress(done, `${table}, ${describeWritten(bytes)}`);
      onProgress(done, table);
      const file = `${table}.${format}`;
      const copied = await duckdb.copy({ table }, join(work, file), format, signal, tell);
      const written = await moveFile(join(work, file), join(beside, file), signal);
      await rm(join(work, file), { force: true });
      files.push({ file, ...copied, ...written });
    }
    onProgress(1, "manifest");
    return files;
  } finally {
    await duckdb.close();
  }
}

/** Bytes of a file under way, as a progress line says them. */
export function describeWritten(bytes: number): string {
  return `${(bytes / 1_000_000).toFixed(1)} MB written`;
}

function tableNames(context: ExportContext, wanted: ExportSetRequest["tables"]): readonly string[] {
  const known = context.catalog.tables(context.at).map(({ def }) => def);
  const names = known.map(qualifiedName);
  if (wanted === "all") return names.toSorted();
  if (wanted === "gold")
    return known
      .filter(({ schema }) => schema === "gold")
      .map(qualifiedName)
      .toSorted();
  const missing = wanted.find((name) => !names.includes(name));
  if (missing !== undefined)
    throw new AppError("table-unknown", `there is no table ${missing} in snapshot ${context.at}`);
  if (wanted.length === 0) throw new AppError("usage", "name at least one table to export");
  return [...new Set(wanted)].toSorted();
}

async function wantFreshFolder(target: string): Promise<void> {
  const entries = await readdir(target).catch((error: unknown) => {
    if (error instanceof Error && "code" in error && error.code === "ENOENT") return [];
    throw new AppError("export-failed", `${target} is there already and is no folder; choose another name`, {
      cause: error,
    });
  });
  if (entries.length > 0)
    throw new AppError("export-failed", `${target} is not empty; an export gets a folder of its own`);
}

async function putInPlace(beside: string, target: string): Promise<void> {
  // Only an empty folder can be removed so: what came into it meanwhile stays, and the export fails.
  await rmdir(target).catch(() => undefined);
  fsyncFolder(beside);
  await rename(beside, target);
  fsyncFolder(dirname(target));
}
