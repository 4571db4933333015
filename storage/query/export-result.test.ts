import { readdir, readFile, realpath } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { contentHashQuery, ROW_HASH_MACROS } from "../lake/hash/row-hash-sql.ts";
import { TEST_TABLES } from "../lake/lake.test-support.ts";
import { openDuckDb, sqlText } from "../duckdb/open-duckdb.ts";
import { qualifiedName } from "../model/table.ts";
import { commit, never, withSession } from "./query.test-support.ts";

const writtenBy = "Highwater test";

test("a view's rows have the content hash that the writer stored, cell by cell", async () => {
  await withSession(async (lake, session) => {
    await commit(lake, 40);
    await lake.writer.seal(lake.clock.nowMs());
    await commit(lake, 40);
    const target = join(lake.folder.root, "out.parquet");
    const snapshotId = lake.writer.reader.latest();
    const limits = { tempLimitBytes: 1e8, memoryLimitBytes: 5e8, threads: 1 };
    const duckdb = await openDuckDb({
      tempFolder: lake.folder.tmp,
      allowedFolders: [lake.folder.root],
      ...limits,
    });
    const connection = await duckdb.connect();
    for (const macro of ROW_HASH_MACROS) await connection.run(macro);
    for (const table of TEST_TABLES) {
      await session.export(
        { what: { table: qualifiedName(table) }, asOf: null, path: target, format: "parquet", writtenBy },
        never,
      );
      const query = contentHashQuery(table, `read_parquet(${sqlText(target)})`);
      const rows = await (await connection.run(query)).getRowsJson();
      expect(rows).toEqual([[String(lake.writer.reader.contentHash(table, snapshotId))]]);
    }
    connection.closeSync();
    await duckdb.close();
  });
});

test.each(["parquet", "csv", "ndjson"] as const)(
  "exports %s whole, with its size and sha256, over an older file",
  async (format) => {
    await withSession(async (lake, session) => {
      await commit(lake, 26);
      const path = join(lake.folder.root, `out.${format}`);
      const request = {
        what: { sql: "SELECT log_offset, title FROM bronze.records ORDER BY 1; -- tail" },
        asOf: null,
        path,
        format,
        writtenBy,
      };
      await session.export(request, never);
      const result = await session.export(request, never);
      const bytes = await readFile(path);
      const digest = await crypto.subtle.digest("SHA-256", bytes);
      expect(result).toMatchObject({
        rows: 24,
        bytes: bytes.length,
        sha256: Buffer.from(digest).toString("hex"),
      });
      expect(result.path).toBe(join(await realpath(lake.folder.root), `out.${format}`));
      expect(result.snapshotId).toBe(lake.writer.reader.latest());
      expect((await readdir(lake.folder.root)).filter((name) => name.endsWith(".tmp"))).toEqual([]);
      expect((await readdir(lake.folder.tmp)).filter((name) => name.startsWith("export-"))).toEqual([]);
    });
  },
);

test("an export writes nothing into the lake or the log, and runs no writing statement", async () => {
  await withSession(async (lake, session) => {
    await commit(lake, 5);
    const out = (path: string, sql: string) =>
      session.export({ what: { sql }, asOf: null, path, format: "csv", writtenBy }, never);
    for (const path of [
      join(lake.folder.lake, "x.csv"),
      join(lake.folder.lakeData, "bronze", "..", "x.csv"),
    ]) {
      await expect(out(path, "SELECT 1")).rejects.toMatchObject({ code: "export-failed" });
    }
    const target = join(lake.folder.root, "x.csv");
    await expect(out(join(lake.folder.root, "no", "x.csv"), "SELECT 1")).rejects.toMatchObject({
      code: "export-failed",
    });
    await expect(out(target, "COPY (SELECT 1) TO 'x'")).rejects.toMatchObject({ code: "statement-refused" });
    await expect(out(target, "-- nothing")).rejects.toMatchObject({ code: "export-failed" });
    const unknown = {
      what: { table: "gold.nothing" },
      asOf: null,
      path: target,
      format: "csv" as const,
      writtenBy,
    };
    await expect(session.export(unknown, never)).rejects.toMatchObject({ code: "table-unknown" });
    expect(await readdir(lake.folder.root)).not.toContain("x.csv");
  });
});

test("csv has a header and ndjson one object a line, both with times in UTC", async () => {
  await withSession(async (lake, session) => {
    await commit(lake, 1);
    const path = join(lake.folder.root, "out");
    const sql = "SELECT log_offset, event_time, title FROM bronze.records";
    await session.export({ what: { sql }, asOf: null, path, format: "csv", writtenBy }, never);
    expect(await readFile(path, "utf8")).toBe(
      `log_offset,event_time,title\n1,2026-11-30 12:00:00.000001+00,"O'Neil ""1"", é\n"\n`,
    );
    await session.export({ what: { sql }, asOf: null, path, format: "ndjson", writtenBy }, never);
    const row = { log_offset: 1, event_time: "2026-11-30 12:00:00.000001+00", title: `O'Neil "1", é\n` };
    expect(JSON.parse(await readFile(path, "utf8"))).toEqual(row);
  });
});
