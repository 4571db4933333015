import { expect, test } from "vitest";
import { toOffset } from "#storage/model/brand.ts";
import { systemClock } from "#storage/model/clock.ts";
import { AppError, type ErrorCode } from "#storage/model/errors.ts";
import type { CommitInput, LakeWriter } from "#storage/model/lake.ts";
import { BatchLoop } from "./batch-loop.ts";
import { CommitQueue } from "./commit-queue.ts";
import { FakeLake } from "./fake-lake.test-support.ts";
import { FakeLog, logRecord } from "./fake-log.test-support.ts";
import { loadState } from "./load-state.ts";
import { SOURCE } from "./replay.test-support.ts";
import { DEFAULT_SETTINGS } from "#storage/model/settings.ts";

/** A stall limit, not a duration: the machine may be busy. */
const PATIENT = { timeout: 10_000, interval: 10 };

/** A lake whose next `times` commits fail with `code`. */
function failing(lake: FakeLake, code: ErrorCode, times: number): LakeWriter & { tries: () => number } {
  let tries = 0;
  const writer = lake.writer();
  const commit = (input: CommitInput): ReturnType<LakeWriter["commit"]> => {
    tries += 1;
    return tries <= times ? Promise.reject(new AppError(code, "test")) : writer.commit(input);
  };
  return { ...writer, commit, tries: () => tries };
}

async function loopOver(lake: FakeLake, writer: LakeWriter, records: number) {
  const log = new FakeLog(
    SOURCE,
    Array.from({ length: records }, () => logRecord("{")),
  );
  const commits: number[] = [];
  const queue = new CommitQueue(writer, systemClock, ({ input }) => commits.push(input.toOffset));
  const state = await loadState(lake.reader(), SOURCE);
  const settings = { ...DEFAULT_SETTINGS.lake, liveBatchMs: 10, liveBatchRecords: 3, catchUpRecords: 100 };
  const loop = new BatchLoop({ log, lake: lake.reader(), queue, state, settings });
  return { loop, queue, commits, log };
}

test("a catalog that is held is asked again from a timer, and the state says since when", async () => {
  const lake = new FakeLake();
  const writer = failing(lake, "catalog-held", 2);
  const { loop, queue } = await loopOver(lake, writer, 2);
  const running = loop.run();
  await expect.poll(() => queue.held, PATIENT).not.toBeNull();
  await expect.poll(() => lake.sourceState?.checkpoint, PATIENT).toBe(2);
  expect(queue.held).toBeNull();
  expect(writer.tries()).toBe(3);
  loop.stop();
  await running;
});

test("an error that is not transient ends the loop", async () => {
  const lake = new FakeLake();
  const { loop } = await loopOver(lake, failing(lake, "file-replaced", 1), 2);
  await expect(loop.run()).rejects.toThrow(AppError);
  expect(lake.sourceState).toBeNull();
});

test("a stop while the catalog is held ends at once, with nothing committed and nothing lost", async () => {
  const lake = new FakeLake();
  const { loop, queue } = await loopOver(lake, failing(lake, "catalog-held", 1_000), 2);
  const running = loop.run();
  await expect.poll(() => queue.held, PATIENT).not.toBeNull();
  loop.stop();
  await queue.stop();
  await running;
  expect(lake.sourceState).toBeNull();
  const again = await loopOver(lake, lake.writer(), 2);
  const rerun = again.loop.run();
  await expect.poll(() => lake.sourceState?.checkpoint, PATIENT).toBe(2);
  again.loop.stop();
  await rerun;
});

test("catching up, commits come in offset order and the loop turns live when it is there", async () => {
  const lake = new FakeLake();
  const { loop, commits, log } = await loopOver(lake, lake.writer(), 450);
  const running = loop.run();
  await expect.poll(() => lake.sourceState?.checkpoint, PATIENT).toBe(450);
  expect(commits).toEqual([5, 105, 205, 305, 405, 450]);
  await expect.poll(() => loop.mode, PATIENT).toBe("live");
  log.entries.push(logRecord("{"));
  await expect.poll(() => lake.sourceState?.checkpoint, PATIENT).toBe(toOffset(451));
  loop.stop();
  await running;
});
