import Database from "better-sqlite3";
import { expect, test } from "vitest";
import { openTestLake } from "../lake.test-support.ts";

test("prunes while every commit pushes a snapshot out of the ladder, with one step of maintenance a commit", async () => {
  await using lake = await openTestLake({ keepAllSnapshots: 5 });
  const did: string[] = [];
  for (let index = 0; index < 60; index += 1) {
    lake.clock.advance(400);
    await lake.writer.commit(lake.feed.next(12));
    did.push((await lake.writer.maintain(lake.clock.nowMs())).did);
  }
  expect(did.filter((step) => step === "prune").length).toBeGreaterThan(1);
  const catalog = new Database(lake.folder.catalog, { readonly: true });
  const ended = catalog
    .prepare(
      "SELECT count(DISTINCT end_snapshot) FROM ducklake_inlined_data_5_1 WHERE end_snapshot IS NOT NULL",
    )
    .pluck()
    .get();
  catalog.close();
  // Those of the snapshots that are kept, and of the 13 commits between two looks at the ladder.
  expect(ended).toBeLessThan(20);
});
