import { expect, test } from "vitest";
import { systemClock } from "#storage/model/clock.ts";
import { DEFAULT_SETTINGS } from "#storage/model/settings.ts";
import { BatchLoop } from "./batch-loop.ts";
import { CommitQueue } from "./commit-queue.ts";
import { FakeLake } from "./fake-lake.test-support.ts";
import { FakeLog, logRecord } from "./fake-log.test-support.ts";
import { loadState } from "./load-state.ts";
import { SOURCE } from "./replay.test-support.ts";

test("the first batch of a backlog is small, so that something is committed soon; the next are as large as settings say", async () => {
  const lake = new FakeLake();
  const log = new FakeLog(
    SOURCE,
    Array.from({ length: 3_000 }, () => logRecord("{")),
  );
  const commits: number[] = [];
  const loop: BatchLoop = new BatchLoop({
    log,
    lake: lake.reader(),
    queue: new CommitQueue(lake.writer(), systemClock, ({ input }) => {
      commits.push(input.toOffset);
      if (input.toOffset === 3_000) loop.stop();
    }),
    state: await loadState(lake.reader(), SOURCE),
    settings: { ...DEFAULT_SETTINGS.lake, liveBatchMs: 10, liveBatchRecords: 100, catchUpRecords: 2_000 },
  });
  await loop.run();
  expect(commits).toEqual([100, 2_100, 3_000]);
});
