import { fork, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { cpSync } from "node:fs";
import { expect, test } from "vitest";
import { qualifiedName } from "#storage/model/table.ts";
import { DEFAULT_SETTINGS, type LakeSettings } from "#storage/model/settings.ts";
import { logRecord } from "../batch/fake-log.test-support.ts";
import { LAKE_TABLES } from "../batch/lake-tables.ts";
import { PipelineFixture, SOURCE } from "../batch/pipeline-fixture.test-support.ts";
import { eventText } from "../demo-feed/generate/event-text.ts";
import type { FeedPlan } from "../demo-feed/generate/feed-plan.ts";
import type { FromWorker, ToWorker } from "../protocol/worker-messages.ts";

/** A stall limit: processes are started, and the machine may be busy. */
const PATIENT_MS = 60_000;
const EVENTS = 2_000;
const plan: FeedPlan = {
  seed: 11,
  startMs: 1_796_040_000_000,
  eventRate: 40,
  events: EVENTS,
  canaryStep: 500,
  faults: new Set(["late", "duplicates", "malformed"]),
};

/** Edits with every outcome in between: duplicates, dead letters, bytes that had to be changed, a redrive. */
function fill(fixture: PipelineFixture): void {
  const records = Array.from({ length: EVENTS }, (_, k) => {
    const record = logRecord(eventText(plan, k), { receivedTimeMs: plan.startMs + k * 25 + 1_000 });
    const odd = logRecord(Uint8Array.of(0x7b, 0xff, 0x7d));
    return k % 50 === 0 ? [record, record] : k % 333 === 0 ? [record, odd] : [record];
  }).flat();
  fixture.append(records, { allowedLatenessMs: 1_000 });
  fixture.append([logRecord(eventText(plan, 70), { kind: "redrive" })], { allowedLatenessMs: 1_000 });
}

/** A folder with the same log, byte for byte, and no lake. */
function withLogOf(other: PipelineFixture): PipelineFixture {
  const fixture = new PipelineFixture();
  cpSync(other.folder.logRoot, fixture.folder.logRoot, { recursive: true });
  return fixture;
}

function start(
  fixture: PipelineFixture,
  lake: Partial<LakeSettings>,
  env: Readonly<Record<string, string>> = {},
): { worker: ChildProcess; messages: FromWorker[] } {
  const worker = fork(new URL("pipeline.worker.ts", import.meta.url), {
    serialization: "advanced",
    env: { ...process.env, ...env },
    stdio: ["ignore", "ignore", "ignore", "ipc"],
  });
  const messages: FromWorker[] = [];
  worker.on("message", (message: FromWorker) => {
    messages.push(message);
    if (message.type === "telemetry") worker.send({ type: "telemetry-ack" } satisfies ToWorker);
  });
  worker.send({
    type: "start",
    worker: "pipeline",
    dataFolder: fixture.root,
    sources: [SOURCE],
    settings: { ...DEFAULT_SETTINGS, lake: { ...DEFAULT_SETTINGS.lake, ...lake } },
    seenSnapshotId: 0,
    stopAfter: { events: null },
  } satisfies ToWorker);
  return { worker, messages };
}

/** Lets a worker run until its lake holds the log up to `head`, and stops it. */
async function drain(fixture: PipelineFixture, head: number, lake: Partial<LakeSettings>): Promise<void> {
  const { worker, messages } = start(fixture, lake);
  const isThere = (message: FromWorker): boolean =>
    message.type === "telemetry" &&
    message.telemetry.worker === "pipeline" &&
    message.telemetry.checkpoint === head;
  try {
    await expect.poll(() => messages.some(isThere), { timeout: PATIENT_MS }).toBe(true);
    worker.send({ type: "stop" } satisfies ToWorker);
    expect(await once(worker, "exit")).toEqual([0, null]);
  } finally {
    worker.kill("SIGKILL");
  }
}

type Outcome = { readonly checkpoint: number; readonly hashes: Readonly<Record<string, bigint>> };

/** What is in the lake once all of the log is, on one thread, whatever was there before. */
async function outcomeOf(fixture: PipelineFixture): Promise<Outcome> {
  return fixture.run({}, async ({ reader, state }) => {
    const checks = await fixture.verify(reader);
    expect(checks.filter(({ verdict }) => verdict !== "ok")).toEqual([]);
    const hashes = LAKE_TABLES.map((table) => [qualifiedName(table), reader.contentHash(table)] as const);
    return { checkpoint: state(SOURCE)?.checkpoint ?? 0, hashes: Object.fromEntries(hashes) };
  });
}

test.each([
  ["catching up", { liveBatchRecords: 50, catchUpRecords: 1_200 }],
  ["live", { liveBatchRecords: 10_000, catchUpRecords: 400 }],
])(
  "two threads %s make of a log the tables that one thread makes of it",
  async (_, settings) => {
    using one = new PipelineFixture();
    fill(one);
    const expected = await outcomeOf(one);
    using two = withLogOf(one);
    await drain(two, expected.checkpoint, settings);
    expect(await outcomeOf(two)).toEqual(expected);
  },
  PATIENT_MS,
);

test(
  "a deciding thread that ends takes the process with it, by a fatal error; the next start goes on and loses nothing",
  async () => {
    using one = new PipelineFixture();
    fill(one);
    const expected = await outcomeOf(one);
    using two = withLogOf(one);
    // A module that Node loads first in every thread: the deciding one ends at its third message, a commit being under way.
    const killer = `import { isMainThread, parentPort } from "node:worker_threads";
    let left = 3;
    if (!isMainThread) {
      const post = parentPort.postMessage.bind(parentPort);
      parentPort.postMessage = (...message) => { post(...message); if (--left === 0) process.exit(7); };
    }`;
    const { worker, messages } = start(
      two,
      { liveBatchRecords: 50, catchUpRecords: 500 },
      { NODE_OPTIONS: `--import=data:text/javascript;base64,${Buffer.from(killer).toString("base64")}` },
    );
    try {
      expect(await once(worker, "exit")).toEqual([70, null]);
      expect(messages.find(({ type }) => type === "failed")).toMatchObject({
        error: { code: "worker-protocol", kind: "fatal", message: expect.stringContaining("code 7") },
      });
    } finally {
      worker.kill("SIGKILL");
    }
    await drain(two, expected.checkpoint, { liveBatchRecords: 50, catchUpRecords: 500 });
    expect(await outcomeOf(two)).toEqual(expected);
  },
  PATIENT_MS,
);
