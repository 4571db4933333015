import { expect, test } from "vitest";
import { exampleIngest, exampleStatus } from "../bridge/status.test-support.ts";
import { commitAfter, newestOffset, reconnectedHead } from "./kill-recovery.ts";

const before = exampleStatus({ ingest: exampleIngest({ connections: 3, head: 100 }) });
const now = (more: Parameters<typeof exampleIngest>[0]) => exampleStatus({ ingest: exampleIngest(more) });

test("what the killed feed left in the socket is no record of its successor: only a new, open connection counts", () => {
  expect(reconnectedHead(before, now({ connections: 3, head: 104 }))).toBeNull();
  const connecting = { state: "connecting", attempt: 1 } as const;
  expect(reconnectedHead(before, now({ connections: 4, head: 104, connection: connecting }))).toBeNull();
  expect(reconnectedHead(before, now({ connections: 4, head: 104 }))).toBe(105);
});

test("ingest is recovered with records behind its head, the pipeline with records behind the checkpoint", () => {
  expect(newestOffset(exampleStatus(), "ingest")).toBe(1_000);
  expect(newestOffset(exampleStatus(), "pipeline")).toBe(953);
});

test("the first commit after the kill that holds something new is the one, whatever the order of the list", () => {
  const commit = { kind: "commit", sealed: false, source: "demo", fromOffset: 1 };
  const snapshots = [
    { ...commit, snapshotId: 5, commitTimeMs: 900, toOffset: 30 },
    { ...commit, snapshotId: 4, commitTimeMs: 700, toOffset: 20 },
    { ...commit, snapshotId: 3, commitTimeMs: 600, toOffset: 9 },
    { ...commit, snapshotId: 2, commitTimeMs: 400, toOffset: 25 },
    { ...commit, snapshotId: 1, commitTimeMs: 650, toOffset: null },
  ];
  expect(commitAfter(snapshots, 500, 10)).toBe(700);
  expect(commitAfter(snapshots, 950, 10)).toBeNull();
});
