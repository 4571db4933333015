import { expect, test } from "vitest";
import { eventually, sseSpec, startIngest } from "./ingest-harness.test-support.ts";
import { startTestFeed } from "./test-feed.test-support.ts";

test("Retry-After as a date is honoured by the server's own clock, however wrong the local one is", async () => {
  const serverMs = Date.now() - 7_200_000;
  const feed = await startTestFeed(({ response }) => {
    response.sendDate = false;
    response.writeHead(503, {
      date: new Date(serverMs).toUTCString(),
      "retry-after": new Date(serverMs + 1_800_000).toUTCString(),
    });
    response.end();
  });
  const ingest = startIngest(sseSpec(feed.url));
  await eventually(() => expect(ingest.loop.telemetry().connection.state).toBe("backing-off"));
  const { connection } = ingest.loop.telemetry();
  const waitMs = connection.state === "backing-off" ? connection.untilMs - Date.now() : 0;
  expect(waitMs).toBeGreaterThan(1_700_000);
  expect(waitMs).toBeLessThanOrEqual(1_801_000);
  expect(feed.requests).toHaveLength(1);
});
