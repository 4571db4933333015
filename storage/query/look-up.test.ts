import { expect, test } from "vitest";
import { DISCARDS, RECORDS, SOURCE } from "../lake/lake.test-support.ts";
import { qualifiedName } from "../model/table.ts";
import { commit, withSession } from "./query.test-support.ts";

test("live rows are the newest of their range in offset order, never beyond the snapshot's checkpoint", async () => {
  await withSession(async (lake, session) => {
    const live = (fromOffset: number, toOffset: number, limit: number) =>
      session.liveRows({
        table: RECORDS,
        columns: ["log_offset", "title"],
        source: SOURCE,
        fromOffset,
        toOffset,
        limit,
      });
    for (let step = 0; step < 4; step += 1) await commit(lake, 25, step === 1 ? "catching-up" : "live");
    const all = await live(0, 1_000_000, 1000);
    const offsets = Array.from({ length: 100 }, (_, index) => index + 1).filter(
      (offset) => offset % 13 !== 0,
    );
    expect(all.rows.map(([offset]) => offset)).toEqual(offsets);
    expect(all).toMatchObject({ checkpoint: 100, snapshotId: lake.writer.reader.latest() });
    expect((await live(0, 1_000_000, 5)).rows.map(([offset]) => offset)).toEqual(offsets.slice(-5));
    expect((await live(20, 30, 100)).rows.map(([offset]) => offset)).toEqual(
      offsets.filter((each) => each >= 20 && each <= 30),
    );
    expect((await live(50, 40, 10)).rows).toEqual([]);
    expect((await live(0, 100, 0)).rows).toEqual([]);
  });
});

test("a record is found wherever it ended, with its raw text", async () => {
  await withSession(async (lake, session) => {
    await commit(lake, 30);
    const { record } = await session.record(SOURCE, 12);
    expect(record).toMatchObject({ table: "bronze.records" });
    expect(JSON.parse(record?.raw ?? "")).toMatchObject({ id: 12 });
    expect(record?.cells.map((cell) => cell.name)).not.toContain("raw");
    expect((await session.record(SOURCE, 13)).record?.table).toBe(qualifiedName(DISCARDS));
    expect((await session.record(SOURCE, 3000)).record).toBeNull();
    await commit(lake, 5);
    const first = await session.record(SOURCE, 30);
    const second = await session.record(SOURCE, 31);
    expect(first.commit).toMatchObject({ fromOffset: 1, toOffset: 30 });
    expect(second.commit).toMatchObject({ fromOffset: 31, toOffset: 35 });
    expect(second.commit?.snapshotId).toBe(second.snapshotId);
    expect((await session.record(SOURCE, 3000)).commit).toBeNull();
  });
});

test("tables tell rows, hot rows and files of their snapshot", async () => {
  await withSession(async (lake, session) => {
    await commit(lake, 26);
    const hot = session.tables(null);
    await lake.writer.seal(lake.clock.nowMs());
    const sealed = session.tables(null);
    const sizeOf = (tables: typeof hot): unknown =>
      tables.tables.find(({ table }) => table.name === "records")?.size;
    expect(sizeOf(hot)).toMatchObject({ rows: 24, hotRows: 24, files: 0 });
    expect(sizeOf(sealed)).toMatchObject({ rows: 24, hotRows: 0, files: 1 });
    expect(sizeOf(session.tables(hot.snapshotId))).toEqual(sizeOf(hot));
  });
});
