import { expect, onTestFinished, test } from "vitest";
import { startDemoFeed } from "./demo-feed.ts";
import { openStream, options } from "./stream-client.test-support.ts";

test("two feeds of the same seed and start send the same bytes", async () => {
  const startMs = Date.UTC(2026, 10, 1);
  const sent = await Promise.all(
    [7, 7, 8].map(async (seed) => {
      const feed = await startDemoFeed(options({ events: 300, seed, startMs }));
      onTestFinished(feed.stop);
      const client = await openStream(feed.url);
      onTestFinished(() => client.close());
      await client.waitFor(() => client.frames.length >= 300);
      return client.frames.slice(0, 300).map(({ id, data }) => `${id} ${data}`);
    }),
  );
  expect(sent[0]).toEqual(sent[1]);
  expect(sent[0]).not.toEqual(sent[2]);
});
