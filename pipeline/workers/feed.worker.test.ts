import { fork } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { parseManifest } from "../demo-feed/manifest/manifest-format.ts";
import { openStream } from "../demo-feed/stream-client.test-support.ts";
import { feedOptionsSchema } from "../protocol/feed-options.ts";
import type { FromWorker, ToWorker } from "../protocol/worker-messages.ts";

test("the feed worker tells its address, serves, counts in telemetry, and leaves a complete manifest when it is stopped", async () => {
  const folder = await mkdtemp(join(tmpdir(), "feed-worker-"));
  const manifestPath = join(folder, "manifest.ndjson");
  const worker = fork(new URL("feed.worker.ts", import.meta.url), { serialization: "advanced" });
  try {
    const messages: FromWorker[] = [];
    worker.on("message", (message: FromWorker) => messages.push(message));
    const say = (message: ToWorker): void => void worker.send(message);
    say({
      type: "start",
      worker: "feed",
      feed: feedOptionsSchema.parse({ rate: 0, events: 300, manifestPath }),
    });
    await expect
      .poll(() => messages.some((message) => message.type === "ready"), { timeout: 10_000 })
      .toBe(true);
    const ready = messages.find((message) => message.type === "ready");
    const client = await openStream(String(ready?.info["url"]));
    await client.waitFor(() => new Set(client.frames.map((frame) => frame.data)).size >= 302);
    // What a terminal sends to the whole group on Ctrl+C or when it is closed: the parent decides, not the worker.
    worker.kill("SIGINT");
    worker.kill("SIGHUP");
    say({ type: "stop" });
    const [code] = (await once(worker, "exit")) as [number | null];
    expect(code).toBe(0);
    const telemetry = messages.findLast((message) => message.type === "telemetry");
    expect(telemetry?.telemetry).toMatchObject({ worker: "feed", produced: 300, sent: client.frames.length });
    expect((await parseManifest(manifestPath)).header).toMatchObject({ complete: true, distinctServed: 300 });
  } finally {
    worker.kill("SIGKILL");
    await rm(folder, { recursive: true, force: true });
  }
});
