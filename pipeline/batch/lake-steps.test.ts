import { expect, test } from "vitest";
import { toOffset } from "#storage/model/brand.ts";
import { systemClock } from "#storage/model/clock.ts";
import type { CommitInput } from "#storage/model/lake.ts";
import { toSnapshotId } from "#storage/model/brand.ts";
import { MAX_TOLD_STEPS } from "../protocol/lake-steps.ts";
import { LakeSteps } from "./lake-steps.ts";
import { SOURCE } from "./replay.test-support.ts";

function committed(nth: number) {
  const input: CommitInput = {
    source: SOURCE,
    fromOffset: toOffset(nth * 10 - 9),
    toOffset: toOffset(nth * 10),
    receivedMinMs: 1_000,
    receivedMaxMs: 1_900,
    appends: [],
    upserts: [],
    amends: [],
    ledger: [
      { source: SOURCE, stream: "a", hop: "bronze", count: 6, identityHash: 0n },
      { source: SOURCE, stream: "b", hop: "bronze", count: 2, identityHash: 0n },
      { source: SOURCE, stream: "a", hop: "late", count: 1, identityHash: 0n },
      { source: SOURCE, stream: "a", hop: "duplicate", count: 2, identityHash: 0n },
    ],
    gaps: [],
    state: {
      source: SOURCE,
      checkpoint: toOffset(nth * 10),
      watermarkUs: null,
      maxEventTimeUs: null,
      horizonOffset: toOffset(1),
      sourceCursor: null,
      extra: "{}",
    },
    mode: "live",
  };
  return { input, result: { snapshotId: toSnapshotId(100 + nth), commitTimeUs: 2_080_000 }, tookMs: 4 };
}

test("a frame tells the newest steps with their numbers, so that a reader sees how many it missed", () => {
  const steps = new LakeSteps(systemClock);
  for (let nth = 1; nth <= MAX_TOLD_STEPS + 7; nth += 1) steps.seeCommit(committed(nth));
  const { newest } = steps.telemetry();
  expect(newest.map(({ nth }) => nth)).toEqual(Array.from({ length: MAX_TOLD_STEPS }, (_, at) => at + 8));
  expect(newest.at(-1)).toMatchObject({
    kind: "batch",
    snapshotId: 127,
    fromOffset: 261,
    toOffset: 270,
    counts: { bronze: 8, late: 1, duplicates: 2, deadLetters: 0 },
    commitMs: 4,
    freshnessMs: 180,
    upkeep: null,
  });
});

test("a seal is a step of its own, other maintenance stands beside the batch before it", () => {
  const steps = new LakeSteps(systemClock);
  const sizes = { rows: 500, files: 3, bytes: 9_000 };
  steps.seeCommit(committed(1));
  steps.seeMaintenance({
    result: { did: "nothing", snapshotId: null, rows: 0, files: 0, bytes: 0 },
    tookMs: 0,
  });
  steps.seeMaintenance({ result: { did: "seal", snapshotId: toSnapshotId(102), ...sizes }, tookMs: 210 });
  steps.seeMaintenance({ result: { did: "prune", snapshotId: null, ...sizes }, tookMs: 2 });
  expect(steps.telemetry().newest).toMatchObject([
    { kind: "batch", nth: 1, upkeep: { did: "prune", rows: 500 } },
    { kind: "seal", nth: 2, snapshotId: 102, ...sizes, commitMs: 210 },
  ]);
});
