import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { exampleIngest, examplePipeline } from "../bridge/status.test-support.ts";
import { LastSeenKeeper, readLastSeen } from "./last-seen.ts";

let folder: string;
let path: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "hw-last-seen-"));
  path = join(folder, "last-seen.json");
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const failed: unknown[] = [];

test("remembers the highest numbers of each source across runs, and they never fall", async () => {
  const first = new LastSeenKeeper(path, (error) => failed.push(error));
  first.note(examplePipeline({ source: "a", snapshotId: 70, checkpoint: 9 }));
  first.note(exampleIngest({ source: "a", head: 12 }));
  await first.close();
  const second = new LastSeenKeeper(path, (error) => failed.push(error));
  expect(second.seen).toEqual({ snapshotId: 70, sources: { a: { checkpoint: 9, head: 12 } } });
  second.note(examplePipeline({ source: "a", snapshotId: 40, checkpoint: 3 }));
  second.note(exampleIngest({ source: "b", head: 5 }));
  await second.close();
  expect(readLastSeen(path)).toEqual({
    snapshotId: 70,
    sources: { a: { checkpoint: 9, head: 12 }, b: { checkpoint: 0, head: 5 } },
  });
  expect(failed).toEqual([]);
});

test.each(["", "{", '{"snapshotId":-1,"sources":{}}', "[]"])("a file of `%s` says nothing", (text) => {
  writeFileSync(path, text);
  expect(readLastSeen(path)).toEqual({ snapshotId: 0, sources: {} });
});

test("a frame that brings nothing new writes nothing, and a folder that cannot be written stops nothing", async () => {
  const keeper = new LastSeenKeeper(path, (error) => failed.push(error));
  keeper.note(exampleIngest({ source: "a", head: 0 }));
  await keeper.close();
  expect(() => readFileSync(path)).toThrow(/ENOENT/);
  const lost = new LastSeenKeeper(join(folder, "gone", "last-seen.json"), (error) => failed.push(error));
  lost.note(exampleIngest({ source: "a", head: 3 }));
  await lost.close();
  expect(failed).toHaveLength(1);
});
