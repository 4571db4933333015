import { readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, expect, test } from "vitest";
import { toOffset, toSnapshotId, toSourceName } from "../../model/brand.ts";
import type { LakeReader, ScanOptions } from "../../model/lake.ts";
import type { CellValue } from "../../model/table.ts";
import {
  COUNTS,
  openTestLake,
  RECORDS,
  recountAll,
  SOURCE,
  TEST_TABLES,
  type TestLake,
} from "../lake.test-support.ts";
import { openLakeReader } from "./lake-reader.ts";

const opened: LakeReader[] = [];
afterEach(async () => {
  for (const reader of opened.splice(0)) await reader.close();
});

/** A reader as another process has it: its own connection, for reading only. */
function openReader(lake: TestLake): LakeReader {
  const { catalog, lakeData, tmp } = lake.folder;
  const reader = openLakeReader({ catalogPath: catalog, lakeData, tempFolder: join(tmp, "reader") });
  opened.push(reader);
  return reader;
}

async function commit(lake: TestLake, rows: number, mode: "live" | "catching-up" = "live"): Promise<void> {
  await lake.writer.commit(lake.feed.next(rows, mode));
  lake.clock.advance(11_000);
}

async function readColumn(
  reader: LakeReader,
  column: string,
  options: ScanOptions = {},
): Promise<CellValue[]> {
  const cells: CellValue[] = [];
  for await (const batch of reader.scan(RECORDS, { ...options, columns: [column] })) {
    expect(batch.table.columns.map(({ name }) => name)).toEqual([column]);
    expect(batch.rowCount).toBeLessThanOrEqual(2048);
    cells.push(...(batch.columns[0] ?? []));
  }
  return cells;
}

async function refusal(reading: Promise<unknown>): Promise<unknown> {
  return reading.then(
    () => "it was read",
    (error: unknown) => error,
  );
}

test("definitions come back from the catalog as the writer made them", async () => {
  await using lake = await openTestLake();
  await commit(lake, 3);
  expect(openReader(lake).tables()).toEqual(TEST_TABLES);
});

test("every kept snapshot reads with its stored content hash, through seals, catching up and pruning, over a connection of its own", async () => {
  await using lake = await openTestLake({ sealRows: 60, keepAllMs: 30_000, unlinkDelayMs: 0 });
  const reader = openReader(lake);
  for (let step = 0; step < 12; step += 1) {
    await commit(lake, 25, step % 4 === 3 ? "catching-up" : "live");
    while ((await lake.writer.maintain(lake.clock.nowMs())).did !== "nothing");
    // recountAll throws where a stored hash or size differs from what is read.
    expect((await recountAll(reader)).size).toBeGreaterThan(0);
  }
});

test("a scan that runs while the writer commits, seals and prunes reads one snapshot", async () => {
  await using lake = await openTestLake({ sealRows: 50 });
  const reader = openReader(lake);
  for (let step = 0; step < 4; step += 1) await commit(lake, 600, step === 1 ? "catching-up" : "live");
  const at = reader.latest();
  const expected = await readColumn(reader, "log_offset", { at });
  const found: CellValue[] = [];
  for await (const batch of reader.scan(RECORDS, { at, columns: ["log_offset"] })) {
    found.push(...(batch.columns[0] ?? []));
    await commit(lake, 40);
    await lake.writer.maintain(lake.clock.nowMs());
  }
  expect(found).toEqual(expected);
  expect(reader.latest()).toBeGreaterThan(at);
});

test("source, offsets, event time and columns narrow a scan in files and hot rows alike", async () => {
  await using lake = await openTestLake();
  await commit(lake, 100, "catching-up");
  await lake.writer.seal(lake.clock.nowMs());
  await commit(lake, 100);
  const reader = openReader(lake);
  const all = await readColumn(reader, "log_offset");
  expect(all).toHaveLength(200 - 15);
  const range = { fromOffset: toOffset(90), toOffset: toOffset(110) };
  expect(await readColumn(reader, "log_offset", range)).toEqual(
    all.filter((o) => Number(o) >= 90 && Number(o) <= 110),
  );
  expect(await readColumn(reader, "log_offset", { source: toSourceName("other") })).toEqual([]);
  expect(await readColumn(reader, "log_offset", { source: SOURCE })).toEqual(all);
  const times = (await readColumn(reader, "event_time")).map(Number).toSorted((a, b) => a - b);
  const [from, to] = [times[40] ?? 0, times[140] ?? 0];
  const within = await readColumn(reader, "event_time", { eventTimeFromUs: from, eventTimeToUs: to });
  expect(within.map(Number).toSorted((a, b) => a - b)).toEqual(
    times.filter((time) => time >= from && time <= to),
  );
  await expect(readColumn(reader, "nothing")).rejects.toThrow(/no column nothing/);
});

test("an unknown or expired snapshot is refused by its number, an unknown table by its name", async () => {
  await using lake = await openTestLake({ keepAllMs: 0, keepAllSnapshots: 1, sealRows: 10 });
  await commit(lake, 30);
  const old = lake.writer.reader.latest();
  for (let step = 0; step < 4; step += 1) {
    await commit(lake, 30);
    while ((await lake.writer.maintain(lake.clock.nowMs())).did !== "nothing");
  }
  const reader = openReader(lake);
  expect(await refusal(readColumn(reader, "log_offset", { at: old }))).toMatchObject({
    code: "snapshot-unknown",
    details: { snapshotId: old },
  });
  expect(await refusal(readColumn(reader, "log_offset", { at: toSnapshotId(99_999) }))).toMatchObject({
    code: "snapshot-unknown",
  });
  const unknown = { ...RECORDS, name: "nothing" };
  expect(() => reader.size(unknown)).toThrow(/no table bronze.nothing/);
});

test("a file that is gone or broken is named, and none of its rows are passed off as all", async () => {
  await using lake = await openTestLake();
  for (let step = 0; step < 3; step += 1) await commit(lake, 5_000, "catching-up");
  await lake.writer.seal(lake.clock.nowMs());
  const folder = join(lake.folder.lakeData, "bronze", "records");
  const [first = "", second = ""] = readdirSync(folder).filter((name) => name.endsWith(".parquet"));
  const reader = openReader(lake);
  const whole = readFileSync(join(folder, first));
  for (let at = Math.floor(whole.length / 3); at < whole.length / 2; at += 1) whole[at] = 0x55;
  writeFileSync(join(folder, first), whole);
  expect(await refusal(readColumn(reader, "raw"))).toMatchObject({
    code: "store-unreadable",
    details: { path: join(folder, first) },
  });
  rmSync(join(folder, first));
  expect(await refusal(readColumn(reader, "raw"))).toMatchObject({
    code: "store-unreadable",
    message: expect.stringContaining(first) as string,
  });
  expect(second).not.toBe("");
});

test("ledger, state and gaps are those of their snapshot", async () => {
  await using lake = await openTestLake();
  const reader = (await commit(lake, 20), openReader(lake));
  const early = reader.latest();
  const before = reader.ledger();
  await commit(lake, 20);
  expect(reader.ledger(early)).toEqual(before);
  expect(reader.ledger().find(({ hop }) => hop === "bronze")?.count).toBe(37);
  expect(reader.state(SOURCE)).toMatchObject({ checkpoint: 40, sourceCursor: "[40]" });
  expect(reader.state(toSourceName("other"))).toBeNull();
  expect(reader.sources()).toEqual([SOURCE]);
  expect(reader.gaps(SOURCE)).toEqual([]);
  expect(reader.contentHash(COUNTS, early)).not.toBe(reader.contentHash(COUNTS));
});

test("says in words that nothing was committed where there is no lake", async () => {
  await using lake = await openTestLake();
  const { lakeData, tmp } = lake.folder;
  const open = () => openLakeReader({ catalogPath: join(tmp, "none.sqlite"), lakeData, tempFolder: tmp });
  expect(open).toThrow(/nothing was committed yet/);
});
