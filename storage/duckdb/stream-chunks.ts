import type { DuckDBConnection, DuckDBDataChunk, DuckDBResult } from "@duckdb/node-api";

/** A statement that failed behind its first rows. DuckDB's bindings do not say why. */
export class StreamCutError extends Error {
  readonly rows: number;

  constructor(rows: number, cause: unknown) {
    super(`the statement failed after ${rows} rows`, { cause });
    this.name = "StreamCutError";
    this.rows = rows;
  }
}

/**
 * Streams a result chunk by chunk (at most 2,048 rows each) and is sure of its end. The bindings report a failure behind the
 * first rows as if the result were over (fetch_chunk gives null for both, and nothing reads duckdb_result_error), so the
 * statement runs in a transaction of its own: an error aborts it, and then it cannot answer any more. Throws what `open`
 * throws, and {@link StreamCutError}. The connection must not be in a transaction, and belongs to the stream until its end.
 */
export async function* streamChunks(
  connection: DuckDBConnection,
  open: () => Promise<DuckDBResult>,
): AsyncGenerator<{ chunk: DuckDBDataChunk; result: DuckDBResult }> {
  await connection.run("BEGIN TRANSACTION READ ONLY");
  try {
    const result = await open();
    let rows = 0;
    for (;;) {
      const chunk = await result.fetchChunk();
      if (chunk === null || chunk.rowCount === 0) break;
      rows += chunk.rowCount;
      yield { chunk, result };
    }
    try {
      await connection.run("SELECT 1");
    } catch (error) {
      throw new StreamCutError(rows, error);
    }
  } finally {
    await connection.run("ROLLBACK");
  }
}
