import { createServer, type Server } from "node:http";
import { mkdtempSync, rmSync } from "node:fs";
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
