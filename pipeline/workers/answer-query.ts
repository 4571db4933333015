import type { DataFolder } from "#storage/files/data-folder.ts";
import type { SnapshotInfo } from "#storage/model/lake.ts";
import type { QuerySession } from "#storage/query/query-session.ts";
import type { RecordCell } from "#storage/query/read-record.ts";
import {
  MAX_RECORD_BYTES,
  type QueryProgress,
  type QueryRequest,
  type QueryResponse,
  type RecordView,
  type TableInfo,
  type WireCell,
} from "../protocol/query-messages.ts";
import { AppError } from "#storage/model/errors.ts";
import { silverTable } from "../silver/silver-table.ts";
import { answerVerify } from "./answer-verify.ts";
import { sourceOf } from "./asked-source.ts";
import { describeWritten } from "#storage/query/export-set.ts";
import { LIVE_ROW_COLUMNS, toLiveRow } from "./live-row.ts";

type Request<Ask extends QueryRequest["ask"]> = Extract<QueryRequest, { ask: Ask }>;
type Response<Ask extends QueryRequest["ask"]> = Extract<QueryResponse, { ask: Ask }>;

/** What answers are made with. */
export type AnswerContext = { readonly session: QuerySession; readonly folder: DataFolder };

/** Snapshots in one list at most; a screen shows the newest. */
const MAX_SNAPSHOTS = 10_000;

/**
 * Answers one question. Rejects with an AppError that may cross the wire (`snapshot-unknown`, `table-unknown`,
 * `statement-…`, `result-gone`, `export-failed`, `catalog-held`, `store-unreadable`, `usage`); anything else is a bug.
 */
export async function answerQuery(
  context: AnswerContext,
  request: QueryRequest,
  signal: AbortSignal,
  onProgress: (progress: QueryProgress) => void = () => undefined,
): Promise<QueryResponse> {
  const { session } = context;
  switch (request.ask) {
    case "live-rows":
      return answerLiveRows(session, request);
    case "record":
      return answerRecord(session, request);
    case "tables":
      return answerTables(session, request);
    case "snapshots":
      return answerSnapshots(session, request);
    case "sql":
      return answerSql(session, request, signal);
    case "cells":
      return { ask: "cells", texts: await session.cells(request.keptId, request.cells) };
    case "export":
      return answerExport(session, request, signal, onProgress);
    case "export-set":
      return {
        ask: "export-set",
        ...(await session.exportSet(request, signal, (done, what) => onProgress({ done, what }))),
      };
    case "verify":
      return answerVerify(context, request, signal);
  }
}

async function answerLiveRows(
  session: QuerySession,
  request: Request<"live-rows">,
): Promise<Response<"live-rows">> {
  const { fromOffset, toOffset, limit } = request;
  const source = sourceOf(request.source);
  const window = { table: silverTable, columns: LIVE_ROW_COLUMNS, source, fromOffset, toOffset, limit };
  const { snapshotId, checkpoint, rows } = await session.liveRows(window);
  return { ask: "live-rows", snapshotId, checkpoint, rows: rows.map(toLiveRow) };
}

async function answerRecord(session: QuerySession, request: Request<"record">): Promise<Response<"record">> {
  const { logOffset } = request;
  const { snapshotId, record, commit } = await session.record(sourceOf(request.source), logOffset);
  if (record === null) return { ask: "record", snapshotId, record: null };
  const { table, cells, raw, rawBytes } = record;
  const columns = cells.map((cell) => ({ name: cell.name, value: toWireCell(cell) }));
  const bytes = rawBytes === null ? null : headOf(rawBytes);
  return {
    ask: "record",
    snapshotId,
    record: { logOffset, table, columns, raw, bytes, commit: toCommit(commit) },
  };
}

function headOf(bytes: Uint8Array): RecordView["bytes"] {
  const head = Buffer.from(bytes.subarray(0, MAX_RECORD_BYTES));
  return { headHex: head.toString("hex"), sizeBytes: bytes.byteLength };
}

function toCommit(commit: SnapshotInfo | null): RecordView["commit"] {
  if (commit === null || commit.fromOffset === null || commit.toOffset === null) return null;
  const { snapshotId, commitTimeUs, fromOffset, toOffset } = commit;
  return { snapshotId, commitTimeMs: Math.floor(commitTimeUs / 1_000), fromOffset, toOffset };
}

function answerTables(session: QuerySession, request: Request<"tables">): Response<"tables"> {
  const { snapshotId, tables } = session.tables(request.asOf);
  const infos = tables.map(({ table, size }): TableInfo => ({
    schema: table.schema,
    name: table.name,
    kind: table.kind,
    columns: table.columns.map(({ name, type, nullable }) => ({ name, type, nullable })),
    ...size,
  }));
  return { ask: "tables", snapshotId, tables: infos };
}

function answerSnapshots(session: QuerySession, request: Request<"snapshots">): Response<"snapshots"> {
  const limit = Math.max(0, Math.min(request.limit, MAX_SNAPSHOTS));
  const snapshots = session.snapshots(limit).map(({ commitTimeUs, ...snapshot }) => ({
    ...snapshot,
    commitTimeMs: Math.floor(commitTimeUs / 1000),
  }));
  return { ask: "snapshots", snapshots };
}

async function answerSql(
  session: QuerySession,
  request: Request<"sql">,
  signal: AbortSignal,
): Promise<Response<"sql">> {
  const { columns, rows, cut, keptId, ...facts } = await session.sql(request, signal);
  const page = keptId === null ? { columns, rows } : { columns, rows, cut, keptId };
  return { ask: "sql", page, ...facts };
}

async function answerExport(
  session: QuerySession,
  request: Request<"export">,
  signal: AbortSignal,
  onProgress: (progress: QueryProgress) => void,
): Promise<Response<"export">> {
  const { sql, table } = request;
  if ((sql === null) === (table === null))
    throw new AppError("export-failed", "name a table or give one statement to export");
  const what = table === null ? { sql: sql ?? "" } : { table };
  const tell = (bytes: number): void =>
    onProgress({ done: null, what: `${table ?? "the result"}, ${describeWritten(bytes)}` });
  return { ask: "export", ...(await session.export({ ...request, what }, signal, tell)) };
}

/** Instants as ISO text with their microseconds, bytes as hex: what a person can read and copy. */
function toWireCell(cell: RecordCell): WireCell {
  const { value, type } = cell;
  if (value instanceof Uint8Array) return Buffer.from(value).toString("hex");
  if (type !== "timestamptz" || typeof value !== "number") return value;
  const fraction = String(value - Math.floor(value / 1_000_000) * 1_000_000).padStart(6, "0");
  return `${new Date(Math.floor(value / 1_000_000) * 1000).toISOString().slice(0, 19)}.${fraction}Z`;
}
