import { createServer, type Server } from "node:http";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { feedOptionsSchema } from "#pipeline/protocol/feed-options.ts";
import type { Output } from "../cli/command.ts";
import { createCheckoutHost } from "../cli/local-host.ts";
import { runHeadless } from "./run-headless.ts";

let folder: string;
let server: Server;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "hw-headless-"));
  server = createServer((_request, response) => response.writeHead(403).end("<h1>no</h1>"));
});
afterEach(() => {
  server.close();
  rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
});

test("a run over a lake that cannot be read is no success and says why, also when its time is over before its worker gave up", async () => {
  const data = join(folder, "data");
  mkdirSync(join(data, "lake"), { recursive: true });
  writeFileSync(join(data, "lake", "catalog.sqlite"), "no database at all ".repeat(500));
  const notices: string[] = [];
  const options = {
    dataFolder: data,
    source: "demo",
    feed: feedOptionsSchema.parse({}),
    stopAfterEvents: null,
    host: createCheckoutHost(),
    version: "test",
    withQuery: false,
  };
  const result = await runHeadless(options, 2_500, { ...silent, notice: (text) => notices.push(text) });
  expect(result.ended).toBe("gave-up");
  expect(notices.join("\n")).toContain("the catalog can not be read");
}, 60_000);

const silent: Output = {
  isJson: false,
  isTty: false,
  line: () => undefined,
  progress: () => undefined,
  json: () => undefined,
  notice: () => undefined,
};

test("a source that refuses for good ends a named run as given up, with the reason and the remedy", async () => {
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  const options = {
    dataFolder: join(folder, "data"),
    source: `http://127.0.0.1:${port}/v2/stream/recentchange`,
    feed: feedOptionsSchema.parse({}),
    stopAfterEvents: null,
    host: createCheckoutHost(),
    version: "test",
    withQuery: false,
  };
  const result = await runHeadless(options, 20_000, silent);
  expect(result.ended).toBe("gave-up");
  expect(result.status.banners[0]).toMatchObject({
    id: "source-failed",
    title: expect.stringContaining("403"),
  });
}, 30_000);
