import { createServer } from "node:http";
import { closeSync, existsSync, openSync, readdirSync, statSync, writeSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { startCli } from "../support/cli-process.ts";
import { EngineRun } from "../support/engine-run.ts";
import { endCase, startCase } from "../support/field-case.ts";
import { event, frame, T0_MS } from "../support/invented-events.ts";
import { type Scope, testScope } from "../support/scope.ts";
import { startSseServer } from "../support/sse-server.ts";
import { expectVerified } from "../support/verify-lake.ts";

function bannerIds(run: EngineRun): readonly string[] {
  return run.engine.status().banners.map(({ id }) => id);
}

/** Overwrites the middle of the newest segment of a stopped run. */
function damageNewestSegment(run: EngineRun): string {
  const folder = run.folder.log(run.source);
  const name = readdirSync(folder)
    .filter((each) => each.endsWith(".sqlite"))
    .toSorted()
    .at(-1);
  if (name === undefined) throw new Error("the log has no segment");
  const path = join(folder, name);
  const { size } = statSync(path);
  const descriptor = openSync(path, "r+");
  writeSync(descriptor, Buffer.alloc(Math.floor(size * 0.9), 0x5a), 0, undefined, Math.floor(size * 0.05));
  closeSync(descriptor);
  return name;
}

test("a damaged segment that was set aside and what may be lost with it are both told, each with its place and what to do", async () => {
  const scope = testScope();
  const server = await startSseServer(scope, async (line) => {
    for (let i = 0; i < 40; i += 1) await line.write(frame(event(i, {}, T0_MS + i)));
    await line.hold();
  });
  const first = await startCase(scope, server);
  await first.settled(41);
  expect(bannerIds(first)).toEqual([]);
  await first.stop();
  const name = damageNewestSegment(first);

  const again = await startCase(scope, server, {}, first.folder.root);
  const told = await again.untilStatus("both are told", ({ banners }) =>
    ["quarantined", "losses"].every((id) => banners.some((banner) => banner.id === id)),
  );
  const [setAside] = told.banners.filter(({ id }) => id === "quarantined");
  expect(setAside?.title).toBe("A damaged part of the log was set aside");
  expect(setAside?.detail).toContain(first.folder.quarantine);
  expect(setAside?.detail).toContain(name);
  expect(setAside?.detail).toMatch(/highwater verify/);
  // A worker that comes back finds nothing damaged any more; what was found in this run stays told.
  again.kill("ingest");
  await again.untilRunning("ingest");
  await again.settled(42);
  expect(bannerIds(again)).toContain("quarantined");
  // Not the run's own stop: the pipeline is started anew on purpose, since offsets it read are given no second time.
  await again.engine.stop();

  const later = await startCase(scope, server, {}, first.folder.root);
  const status = await later.untilStatus("it runs again", ({ pipeline }) => (pipeline?.checkpoint ?? 0) > 42);
  // Old news: in the status for ever, no banner at every start.
  expect(status.banners).toEqual([]);
  expect(status.pipeline?.losses.count).toBeGreaterThan(0);
  const mayNotTell = ["gaps", "log", "in-flight"];
  await endCase(scope, later, server, mayNotTell);
  const checks = await expectVerified(first.folder, null, mayNotTell);
  expect(checks.filter(({ verdict }) => verdict === "cannot-tell").map(({ id }) => id)).toContain(
    "in-flight",
  );
});

/** A source that takes no stored position, as after its own history was cut: 400, and only a time will do. */
async function startForgetfulServer(scope: Scope): Promise<string> {
  let served = 0;
  const server = createServer((request, response) => {
    if (request.headers["last-event-id"] !== undefined) {
      response.writeHead(400, { "content-type": "application/json" }).end("{}");
      return;
    }
    response.writeHead(200, { "content-type": "text/event-stream" });
    for (let i = 0; i < 5; i += 1) response.write(frame(event(served + i, {}, T0_MS + served + i)));
    served += 5;
    if (served < 10) setTimeout(() => response.end(), 100);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  scope.onEnd(() => {
    server.closeAllConnections();
    server.close();
  });
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("no port");
  return `http://127.0.0.1:${address.port}/v2/stream/recentchange`;
}

test("a position that the source refuses is told as a place where records may be missing", async () => {
  const scope = testScope();
  const run = await EngineRun.start({ scope, source: await startForgetfulServer(scope) });
  const told = await run.untilStatus("it is told", ({ banners }) =>
    banners.some(({ id }) => id === "losses"),
  );
  const [banner] = told.banners.filter(({ id }) => id === "losses");
  expect(banner).toMatchObject({ tone: "warn", title: "Records may be missing" });
  expect(banner?.detail).toMatch(
    /The source refused the stored position \(status 400\) and was asked from .* Run `highwater verify`/,
  );
  await run.stop();
});

test("C19: a folder that a sync client copies is refused at the start, by name, with the remedy, and nothing is written", async () => {
  const scope = testScope();
  const folder = join(scope.folder(), "Dropbox", "hw");
  const cli = startCli(scope, ["run", "--source", "demo", "--for", "1s", "--data", folder]);
  expect((await cli.ended).code).not.toBe(0);
  expect(cli.stderr()).toMatch(/Dropbox.* Choose a folder on a local disk with --data DIR/);
  for (const part of ["log", "lake", "workspace"]) expect(existsSync(join(folder, part))).toBe(false);
});

test("going back to the live feed from the demo goes to the address that was named, in its own folder", async () => {
  const scope = testScope();
  const server = await startSseServer(scope, async (line) => {
    for (let i = 0; i < 5; i += 1) await line.write(frame(event(i, {}, T0_MS + i)));
    await line.hold();
  });
  // One level down, so that the demo's folder beside it goes with the scope, too.
  const run = await startCase(scope, server, {}, join(scope.folder(), "data"));
  const named = await run.settled(6);
  expect(named.liveFeed).toEqual({ source: named.source, url: server.url });
  await run.engine.switchTo("demo");
  const demo = await run.untilStatus("the demo runs", ({ ingest }) => (ingest?.head ?? 0) > 3);
  expect(demo).toMatchObject({ mode: "demo", liveFeed: named.liveFeed });
  expect(demo.banners).toMatchObject([{ id: "demo", action: { command: "source.use-live" } }]);
  await run.engine.switchTo("live");
  const back = await run.untilStatus(
    "it is back",
    ({ ingest, pipeline }) => ingest !== null && (pipeline?.checkpoint ?? 0) >= 6,
  );
  expect(back).toMatchObject({ mode: "live", source: named.source, dataFolder: named.dataFolder });
  expect(back.ingest?.url).toBe(server.url);
  expect(readdirSync(run.folder.logRoot)).toContain(named.source);
  await run.engine.stop();
});

test("arming a failpoint says whether there was a worker to tell, and why not", async () => {
  const scope = testScope();
  const run = await EngineRun.start({ scope, feed: { events: 50 } });
  await run.untilRunning("pipeline");
  expect(run.engine.armFailpoint("pipeline", "commit-before", 1_000_000)).toMatchObject({ armed: true });
  expect(run.engine.armFailpoint("query", "commit-before", 1)).toEqual({
    armed: false,
    reason: "no query worker belongs to this run",
  });
  await run.stop();
  expect(run.engine.armFailpoint("pipeline", "commit-before", 1)).toMatchObject({ armed: false });
});

test("a run on which nothing is wrong has no banner but that of the demo, and its rows are those of the feed", async () => {
  const scope = testScope();
  const run = await EngineRun.start({ scope, feed: { rate: 300, events: 600 } });
  const seen = new Set<string>();
  run.engine.onStatus(({ banners }) => {
    for (const { id } of banners) seen.add(id);
  });
  await run.drained(600);
  expect([...seen]).toEqual(["demo"]);
  await run.stop();
});
