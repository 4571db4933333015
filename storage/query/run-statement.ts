import type {
  DuckDBConnection,
  DuckDBDataChunk,
  DuckDBPreparedStatement,
  DuckDBResult,
  DuckDBType,
} from "@duckdb/node-api";
import { StreamCutError, streamChunks } from "../duckdb/stream-chunks.ts";
import { toResultCell, typeName, type ResultCell } from "../duckdb/wire-cells.ts";
import { AppError } from "../model/errors.ts";
import type { CellKeeper, CutCell } from "./kept-cells.ts";
import { statementFailed } from "./statement-error.ts";
import { prepareReading } from "./statement-guard.ts";
import { cancelled } from "./turn.ts";

/** Rows of a page whatever was asked for; a screen pages, an export streams. */
export const MAX_PAGE_ROWS = 100_000;
/** Text of a page (UTF-16 units) after which no more rows are kept, so that 1 MiB cells cannot exhaust the process. */
const MAX_PAGE_CHARS = 32_000_000;
/** Rows up to which a statement that failed behind its first rows is run once more for its message. */
const MAX_RERUN_ROWS = 50_000;
/** An interrupt that comes before the statement runs is lost, so it is repeated. */
const INTERRUPT_EVERY_MS = 20;

/** What came back: the first rows, how many there are in all, and whether rows were left out. */
export type StatementResult = {
  readonly columns: readonly { readonly name: string; readonly type: string }[];
  readonly rows: readonly (readonly ResultCell[])[];
  readonly total: number;
  readonly truncated: boolean;
  /** Cells whose text is shown in part. */
  readonly cut: readonly CutCell[];
};

/** What a page may hold: rows, and who cuts long cells; without a keeper every cell is whole. */
export type PageLimits = { readonly rows: number; readonly keeper: CellKeeper | null };

/**
 * Runs one reading statement as it is written (no LIMIT is glued to it), keeps the first rows and counts the rest.
 * Throws `statement-refused`, `statement-failed`, `statement-cancelled`.
 */
export async function runStatement(
  connection: DuckDBConnection,
  text: string,
  limits: PageLimits,
  signal: AbortSignal,
): Promise<StatementResult> {
  return interruptible(connection, signal, async () => {
    const statement = await prepareReading(connection, text);
    if (statement === null) return { columns: [], rows: [], total: 0, truncated: false, cut: [] };
    try {
      return await collect(connection, statement, limits);
    } catch (error) {
      const cause =
        error instanceof StreamCutError && !signal.aborted ? await explainCut(statement, error) : error;
      throw cause instanceof AppError ? cause : explainLimits(cause, text);
    } finally {
      statement.destroySync();
    }
  });
}

/** Runs `body` and interrupts the connection once the signal comes. Errors of DuckDB become ours. */
export async function interruptible<T>(
  connection: DuckDBConnection,
  signal: AbortSignal,
  body: () => Promise<T>,
): Promise<T> {
  let timer: NodeJS.Timeout | null = null;
  const interrupt = (): void => {
    connection.interrupt();
    timer ??= setInterval(() => connection.interrupt(), INTERRUPT_EVERY_MS);
  };
  if (signal.aborted) throw cancelled();
  signal.addEventListener("abort", interrupt, { once: true });
  try {
    return await body();
  } catch (error) {
    if (signal.aborted) throw cancelled(error);
    throw error instanceof AppError ? error : explainLimits(error);
  } finally {
    signal.removeEventListener("abort", interrupt);
    if (timer !== null) clearInterval(timer);
  }
}

async function collect(
  connection: DuckDBConnection,
  statement: DuckDBPreparedStatement,
  { rows: wanted, keeper }: PageLimits,
): Promise<StatementResult> {
  const limit = Math.min(wanted, MAX_PAGE_ROWS);
  const rows: ResultCell[][] = [];
  let columns: StatementResult["columns"] = [];
  let [total, chars, isFull] = [0, 0, limit <= 0];
  const open = async (): Promise<DuckDBResult> => {
    const result = await statement.stream();
    const types = result.columnTypes();
    columns = result.columnNames().map((name, index) => ({ name, type: describe(types[index]) }));
    return result;
  };
  for await (const { chunk, result } of streamChunks(connection, open)) {
    const types = result.columnTypes();
    for (let row = 0; row < chunk.rowCount && !isFull; row += 1) {
      const cells = cutLong(readRow(chunk, row, types), rows.length, keeper);
      for (const cell of cells) chars += typeof cell === "string" ? cell.length : 0;
      rows.push(cells);
      await keeper?.flush();
      isFull = rows.length >= limit || chars >= MAX_PAGE_CHARS || keeper?.isFull === true;
    }
    total += chunk.rowCount;
  }
  return { columns, rows, total, truncated: total > rows.length, cut: keeper?.cut ?? [] };
}

function cutLong(cells: ResultCell[], row: number, keeper: CellKeeper | null): ResultCell[] {
  if (keeper === null) return cells;
  return cells.map((cell, column) => (typeof cell === "string" ? keeper.show({ row, column }, cell) : cell));
}

/** The bindings do not say why a stream was cut; where it was short, running it whole once more does. */
async function explainCut(statement: DuckDBPreparedStatement, cut: StreamCutError): Promise<unknown> {
  if (cut.rows > MAX_RERUN_ROWS) return cut;
  try {
    await statement.run();
    return cut;
  } catch (error) {
    return error;
  }
}

function readRow(chunk: DuckDBDataChunk, row: number, types: readonly DuckDBType[]): ResultCell[] {
  return types.map((type, index) => toResultCell(chunk.getColumnVector(index).getItem(row), type));
}

function describe(type: DuckDBType | undefined): string {
  return type === undefined ? "" : typeName(type);
}

/** DuckDB says "Out of Memory" also when its spill folder is full; say which limit was met, and that nothing else is hurt. */
function explainLimits(error: unknown, text: string | null = null): AppError {
  // The guard gave DuckDB a text in which every place is where it was typed.
  const failed = statementFailed(error, text === null ? null : { text, shift: 0 });
  if (!/out of memory|max_temp_directory_size|temp.*directory/i.test(failed.message)) return failed;
  const limit = /temp.*directory|disk/i.test(failed.message)
    ? "disk space for intermediate results"
    : "memory";
  return new AppError(
    "statement-failed",
    `this statement needs more ${limit} than a query may use; ${failed.message}`,
    { cause: error, details: failed.details },
  );
}
