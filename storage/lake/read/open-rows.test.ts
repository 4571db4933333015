import { expect, test } from "vitest";
import type { SnapshotId } from "../../model/brand.ts";
import type { LakeReader } from "../../model/lake.ts";
import { COUNTS, DISCARDS, openTestLake, RECORDS } from "../lake.test-support.ts";

/** Rows whose column `state` says open, counted from the rows themselves. */
async function recount(reader: LakeReader, at: SnapshotId): Promise<number> {
  const state = COUNTS.columns.findIndex(({ name }) => name === "state");
  let open = 0;
  for await (const batch of reader.scan(COUNTS, { at }))
    open += (batch.columns[state] ?? []).filter((cell) => String(cell) === "open").length;
  return open;
}

test("counts the rows of open windows at every kept snapshot, hot and in the file of a seal point, and none elsewhere", async () => {
  await using lake = await openTestLake({ keepAllMs: 3_600_000 });
  const { reader } = lake.writer;
  for (let commit = 0; commit < 6; commit += 1) {
    lake.clock.advance(20_000);
    await lake.writer.commit(lake.feed.next(40, "live"));
    if (commit % 3 === 2) await lake.writer.seal(lake.clock.nowMs());
  }
  const counts: number[] = [];
  for (const { snapshotId, kind } of reader.snapshots(1_000)) {
    if (kind === "schema") continue;
    const { openRows } = reader.size(COUNTS, snapshotId);
    expect(openRows).toBe(await recount(reader, snapshotId));
    for (const table of [RECORDS, DISCARDS]) expect(reader.size(table, snapshotId).openRows).toBe(0);
    counts.push(openRows);
  }
  expect(Math.max(...counts)).toBeGreaterThan(0);
  expect(reader.snapshots(1_000).some(({ sealed }) => sealed)).toBe(true);
  expect(lake.writer.openRows()).toBe(reader.size(COUNTS).openRows);
});
