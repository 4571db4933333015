import { cp, readdir, rename } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { COUNTS, openTestLake, RECORDS, TEST_TABLES, type TestLake } from "../lake/lake.test-support.ts";
import { readLeases } from "../files/lease.ts";
import type { SnapshotId } from "../model/brand.ts";
import { qualifiedName, type TableDef } from "../model/table.ts";
import { openQuerySession, type QuerySession } from "./query-session.ts";
import { ask, commit, withSession } from "./query.test-support.ts";

/** A table's rows as sorted lines, read through the writer's own reader. */
async function scannedLines(lake: TestLake, table: TableDef, at: SnapshotId): Promise<string[]> {
  const lines: string[] = [];
  for await (const batch of lake.writer.reader.scan(table, { at })) {
    for (let row = 0; row < batch.rowCount; row += 1) {
      const cells = batch.columns.map((column) => column[row] ?? null);
      lines.push(
        JSON.stringify(
          cells.map((cell) => (cell instanceof Uint8Array ? Buffer.from(cell).toString("hex") : cell)),
        ),
      );
    }
  }
  return lines.toSorted();
}

/** The same lines through a view: instants as microseconds, bytes as hex. */
async function viewedLines(session: QuerySession, table: TableDef, at: SnapshotId | null): Promise<string[]> {
  const columns = table.columns.map(({ name, type }) => {
    if (type === "timestamptz") return `epoch_us("${name}")`;
    return type === "blob" ? `lower(hex("${name}"))` : `"${name}"`;
  });
  const result = await ask(session, `SELECT ${columns.join(", ")} FROM ${qualifiedName(table)}`, at);
  return result.rows.map((row) => JSON.stringify(row)).toSorted();
}

test("the views of every kept snapshot hold exactly the rows that a scan reads, through live commits, seals and catching up", async () => {
  await withSession(async (lake, session) => {
    for (let step = 0; step < 10; step += 1) {
      await commit(lake, 30, step % 5 === 4 ? "catching-up" : "live");
      if (step % 4 === 3) await lake.writer.seal(lake.clock.nowMs());
      // Asked after each step, so that the copies of hot rows are brought forward in small ones.
      for (const table of TEST_TABLES) {
        expect(await viewedLines(session, table, null)).toEqual(
          await scannedLines(lake, table, lake.writer.reader.latest()),
        );
      }
    }
    const kept = session.snapshots(1000).filter(({ kind }) => kind !== "schema");
    expect(kept.length).toBeGreaterThan(12);
    for (const { snapshotId } of kept) {
      for (const table of TEST_TABLES) {
        expect(await viewedLines(session, table, snapshotId)).toEqual(
          await scannedLines(lake, table, snapshotId),
        );
      }
    }
  });
});

test("copies of hot rows stay right when a seal and pruning came between two questions", async () => {
  await using lake = await openTestLake({
    sealRows: 60,
    keepAllMs: 20_000,
    keepAllSnapshots: 2,
    unlinkDelayMs: 0,
  });
  const session = openQuerySession({ folder: lake.folder, limits: { threads: 1 } });
  for (let step = 0; step < 8; step += 1) {
    for (let more = 0; more <= step % 4; more += 1) {
      await commit(lake, 30);
      while ((await lake.writer.maintain(lake.clock.nowMs())).did !== "nothing");
    }
    for (const table of TEST_TABLES) {
      expect(await viewedLines(session, table, null)).toEqual(
        await scannedLines(lake, table, lake.writer.reader.latest()),
      );
    }
  }
  await session.close();
});

test("shows rows that took the numbers of pruned ones: seal, nothing for a while, then new rows", async () => {
  await using lake = await openTestLake({ keepAllMs: 10_000, keepAllSnapshots: 2, unlinkDelayMs: 0 });
  const session = openQuerySession({ folder: lake.folder, limits: { threads: 1 } });
  const shown = (): Promise<string[]> => viewedLines(session, RECORDS, null);
  const rest = async (): Promise<void> => {
    while ((await lake.writer.maintain(lake.clock.nowMs())).did !== "nothing");
  };
  await commit(lake, 300);
  expect(await shown()).toHaveLength(277);
  // The copy is brought to the seal, which is kept, before the numbers of its rows become free.
  await lake.writer.seal(lake.clock.nowMs());
  expect(await shown()).toHaveLength(277);
  lake.clock.advance(60_000);
  await rest();
  await commit(lake, 50);
  expect(await shown()).toEqual(await scannedLines(lake, RECORDS, lake.writer.reader.latest()));
  await commit(lake, 50);
  expect(await shown()).toEqual(await scannedLines(lake, RECORDS, lake.writer.reader.latest()));
  await session.close();
});

test("asOf reads an older snapshot and leaves the newest as it is; an unknown one is refused", async () => {
  await withSession(async (lake, session) => {
    await commit(lake, 10);
    const old = lake.writer.reader.latest();
    const before = await ask(session, "SELECT max(log_offset) FROM bronze.records");
    await commit(lake, 10);
    const after = await ask(session, "SELECT max(log_offset) FROM bronze.records");
    expect(before.rows).toEqual([[10]]);
    expect(after.rows).toEqual([[20]]);
    expect(await ask(session, "SELECT max(log_offset) FROM bronze.records", old)).toMatchObject({
      rows: [[10]],
      snapshotId: old,
    });
    expect((await ask(session, "SELECT max(log_offset) FROM bronze.records")).rows).toEqual([[20]]);
    await expect(ask(session, "SELECT 1", 9999)).rejects.toMatchObject({ code: "snapshot-unknown" });
  });
});

test("an updated gold row shows once, with its newest value", async () => {
  await withSession(async (lake, session) => {
    for (let step = 0; step < 6; step += 1) {
      await commit(lake, 12);
      const rows = await ask(
        session,
        `SELECT source, window_start, wiki, count(*) FROM ${qualifiedName(COUNTS)} GROUP BY ALL HAVING count(*) > 1`,
      );
      expect(rows.total).toBe(0);
    }
    const sum = await ask(session, "SELECT sum(changes) FROM gold.counts");
    const records = await ask(session, "SELECT count(*) FROM bronze.records");
    expect(sum.rows).toEqual(records.rows);
  });
});

test("columns keep their types in the views, and SHOW and DESCRIBE know the tables", async () => {
  await withSession(async (lake, session) => {
    await commit(lake, 5);
    const described = await ask(session, "DESCRIBE bronze.records");
    expect(described.rows.map((row) => row.slice(0, 2))).toEqual([
      ["source", "VARCHAR"],
      ["log_offset", "BIGINT"],
      ["event_time", "TIMESTAMP WITH TIME ZONE"],
      ["bot", "BOOLEAN"],
      ["size", "BIGINT"],
      ["raw", "JSON"],
      ["raw_bytes", "BLOB"],
      ["title", "VARCHAR"],
    ]);
    const json = await ask(
      session,
      "SELECT raw->>'$.id', title FROM bronze.records ORDER BY log_offset LIMIT 1",
    );
    expect(json.rows).toEqual([["1", `O'Neil "1", é\n`]]);
    expect((await ask(session, "FROM discards")).columns.map((column) => column.name)).toEqual([
      "source",
      "log_offset",
      "reason",
    ]);
  });
});

test("before anything was committed, questions are refused in words", async () => {
  await using lake = await openTestLake();
  const elsewhere = { ...lake.folder, catalog: join(lake.folder.root, "nowhere.sqlite") };
  const session = openQuerySession({ folder: elsewhere });
  await expect(ask(session, "SELECT 1")).rejects.toMatchObject({ code: "snapshot-unknown" });
  expect(() => session.snapshots(5)).toThrow(/nothing was committed yet/);
  await session.close();
});

test("C20: a spill beyond its limit fails that statement alone, says memory or disk, and leaves no file where the app runs", async () => {
  await withSession(
    async (lake, session) => {
      await commit(lake, 5);
      const cwdBefore = await readdir(".");
      const heavy = ask(session, "SELECT list(repeat('x', 50) || x) FROM range(3000000) t(x)");
      const other = ask(session, "SELECT count(*) FROM bronze.records");
      await expect(heavy).rejects.toMatchObject({
        code: "statement-failed",
        message: expect.stringMatching(/needs more (memory|disk)/) as string,
      });
      expect((await other).rows).toEqual([[5]]);
      const settings = await ask(session, "SELECT current_setting('temp_directory')");
      expect(String(settings.rows[0]?.[0]).startsWith(lake.folder.tmp)).toBe(true);
      expect(await readdir(".")).toEqual(cwdBefore);
    },
    { memoryBytes: 60_000_000, tempBytes: 20_000_000 },
  );
});

test("a lease holds the snapshot while a statement reads it, and is gone afterwards", async () => {
  await withSession(async (lake, session) => {
    await commit(lake, 5);
    const cancel = new AbortController();
    const text = "SELECT count(*) FROM range(1000000000) a, range(1000) b WHERE (a.range ^ b.range) % 7 = 3";
    const slow = session.sql({ text, asOf: null, limit: 1 }, cancel.signal);
    const outcome = slow.catch((error: unknown) => error);
    await expect
      .poll(() => readLeases(lake.folder.leases, Date.now()).flatMap((lease) => lease.snapshots))
      .toEqual([lake.writer.reader.latest()]);
    cancel.abort();
    expect(await outcome).toMatchObject({ code: "statement-cancelled" });
    expect(readLeases(lake.folder.leases, Date.now())).toEqual([]);
    expect(session.running).toBe(0);
  });
});

test("a statement that waits behind another can be cancelled at once", async () => {
  await withSession(async (lake, session) => {
    await commit(lake, 5);
    const cancel = new AbortController();
    const endFirst = new AbortController();
    const endless =
      "SELECT count(*) FROM range(1000000000) a, range(1000) b WHERE (a.range ^ b.range) % 7 = 3";
    const first = session.sql({ text: endless, asOf: null, limit: 1 }, endFirst.signal);
    const outcome = first.catch((error: unknown) => error);
    const second = session.sql({ text: "SELECT 1", asOf: null, limit: 1 }, cancel.signal);
    cancel.abort();
    // At once, and not when the one before it ends.
    await expect(second).rejects.toMatchObject({ code: "statement-cancelled" });
    expect(session.running).toBe(1);
    endFirst.abort();
    expect(await outcome).toMatchObject({ code: "statement-cancelled" });
    expect((await ask(session, "SELECT 2")).rows).toEqual([[2]]);
  });
});

test("a table that a statement spells in parts, or names for the first time later, is read at its snapshot", async () => {
  await withSession(async (lake, session) => {
    await commit(lake, 10);
    expect((await ask(session, "SHOW ALL TABLES")).rows.map((row) => row[2])).toEqual(
      expect.arrayContaining(["records", "discards", "counts"]),
    );
    await commit(lake, 10);
    const spelled = "SELECT count(*) FROM query('SELECT * FROM bronze.rec' || 'ords')";
    expect((await ask(session, spelled)).rows).toEqual([[19]]);
    expect((await ask(session, "SELECT count(*) FROM query_table('bronze.' || 'RECORDS')")).rows).toEqual([
      [19],
    ]);
    await commit(lake, 10);
    expect((await ask(session, `SELECT count(*) FROM BRONZE."Records"`)).rows).toEqual([[28]]);
    expect((await ask(session, "DESCRIBE gold.counts")).total).toBe(6);
  });
});

test("stops when the catalog was replaced by another file, instead of answering from the old one", async () => {
  await withSession(async (lake, session) => {
    await commit(lake, 3);
    expect((await ask(session, "SELECT count(*) FROM bronze.records")).rows).toEqual([[3]]);
    await cp(lake.folder.catalog, `${lake.folder.catalog}.copy`);
    await rename(`${lake.folder.catalog}.copy`, lake.folder.catalog);
    await expect(ask(session, "SELECT 1")).rejects.toMatchObject({ code: "file-replaced" });
    expect(() => session.snapshots(1)).toThrow(/replaced|another file/);
  });
});
