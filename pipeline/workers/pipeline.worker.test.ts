import { fork, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { expect, test } from "vitest";
import { DEFAULT_SETTINGS } from "#storage/model/settings.ts";
import { logRecord } from "../batch/fake-log.test-support.ts";
import { PipelineFixture, SOURCE } from "../batch/pipeline-fixture.test-support.ts";
import { event } from "../validate/events.test-support.ts";
import type { FromWorker, ToWorker } from "../protocol/worker-messages.ts";

const NOW_MS = 1_796_040_000_000;

function records(offsets: readonly number[]) {
  return offsets.map((offset) =>
    logRecord(JSON.stringify(event({ meta: { id: `id${offset}`, offset } })), {
      sourceId: `cursor${offset}`,
      receivedTimeMs: NOW_MS + offset,
    }),
  );
}

function start(
  fixture: PipelineFixture,
  events: number | null,
): { worker: ChildProcess; messages: FromWorker[] } {
  const worker = fork(new URL("pipeline.worker.ts", import.meta.url), { serialization: "advanced" });
  const messages: FromWorker[] = [];
  worker.on("message", (message: FromWorker) => messages.push(message));
  const message: ToWorker = {
    type: "start",
    worker: "pipeline",
    dataFolder: fixture.root,
    sources: [SOURCE],
    settings: DEFAULT_SETTINGS,
    seenSnapshotId: 0,
    stopAfter: { events },
  };
  worker.send(message);
  return { worker, messages };
}

test("the pipeline worker commits what is in the log, tells of a hole, and ends when enough is committed", async () => {
  using fixture = new PipelineFixture();
  fixture.append(records([1, 2, 3, 7, 8]));
  const { worker, messages } = start(fixture, 5);
  try {
    const [code] = (await once(worker, "exit")) as [number | null];
    expect(messages.filter(({ type }) => type === "failed")).toEqual([]);
    expect(code).toBe(0);
    expect(messages.find(({ type }) => type === "gap-found")).toMatchObject({ fromOffset: 4, toOffset: 6 });
    expect(messages.findLast(({ type }) => type === "telemetry")).toMatchObject({
      telemetry: {
        checkpoint: 6,
        head: 6,
        committedEvents: 5,
        ledger: { bronze: 5, control: 1, received: 6 },
      },
    });
    expect(messages.at(-1)).toMatchObject({ type: "finished", reason: "events-reached" });
  } finally {
    worker.kill("SIGKILL");
  }
});

test("a worker started again goes on behind the checkpoint and asks anew for the hole that nobody asked for", async () => {
  using fixture = new PipelineFixture();
  fixture.append(records([1, 2, 5]));
  const first = start(fixture, 3);
  await once(first.worker, "exit");
  fixture.append(records([6]));
  const { worker, messages } = start(fixture, null);
  try {
    await expect
      .poll(() => messages.findLast(({ type }) => type === "telemetry"), { timeout: 10_000 })
      .toMatchObject({ telemetry: { checkpoint: 5, committedEvents: 4 } });
    expect(messages.find(({ type }) => type === "gap-found")).toMatchObject({ fromOffset: 3, toOffset: 4 });
    worker.send({ type: "stop" } satisfies ToWorker);
    const [code] = (await once(worker, "exit")) as [number | null];
    expect(code).toBe(0);
  } finally {
    worker.kill("SIGKILL");
  }
});
