import { expect, test } from "vitest";
import { openTestLake, recountAll } from "../lake.test-support.ts";

test("a catalog as new as what was seen goes on without a word", async () => {
  await using lake = await openTestLake();
  await lake.writer.commit(lake.feed.next(10, "live"));
  const newest = Number(lake.writer.reader.latest());
  await lake.reopen(undefined, newest);
  expect(lake.writer.wentBack).toBeNull();
  expect(Number(lake.writer.reader.latest())).toBe(newest);
});

test("a catalog that went back is gone on with above everything that may have been given, its rows as they were, once", async () => {
  await using lake = await openTestLake();
  await lake.writer.commit(lake.feed.next(10, "live"));
  const found = Number(lake.writer.reader.latest());
  const before = await recountAll(lake.writer.reader);
  await lake.reopen(undefined, found + 40);
  const continuesAt = Number(lake.writer.reader.latest());
  expect(lake.writer.wentBack).toEqual({
    foundSnapshotId: found,
    seenSnapshotId: found + 40,
    continuesAt,
    setAside: null,
  });
  // Commits between the last save and the loss: at the fastest 100 a second for some seconds.
  expect(continuesAt).toBeGreaterThan(found + 40 + 1_000);
  const after = await recountAll(lake.writer.reader);
  const valueAt = (map: ReadonlyMap<string, string>, id: number) =>
    [...map].filter(([key]) => key.startsWith(`${id}/`)).map(([, value]) => value);
  expect(valueAt(after, continuesAt)).toEqual(valueAt(before, found));
  expect(valueAt(after, continuesAt).length).toBeGreaterThan(0);
  const { snapshotId } = await lake.writer.commit(lake.feed.next(10, "live"));
  expect(Number(snapshotId)).toBe(continuesAt + 1);
  await lake.reopen(undefined, continuesAt + 1);
  expect(lake.writer.wentBack).toBeNull();
});
