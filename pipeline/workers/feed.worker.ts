import { startDemoFeed } from "../demo-feed/demo-feed.ts";
import type { StartMessage } from "../protocol/worker-messages.ts";
import { type RunningWorker, runWorker } from "./worker-shell.ts";

type FeedStart = Extract<StartMessage, { readonly worker: "feed" }>;

/** The demo feed as a worker: it runs until it is told to stop, also behind its last event, as the real one would. */
async function startFeedWorker(message: FeedStart): Promise<RunningWorker> {
  const feed = await startDemoFeed(message.feed);
  return {
    info: { url: feed.url, port: feed.port },
    telemetry: () => {
      return { worker: "feed", url: feed.url, ...feed.stats(), atMs: Date.now() };
    },
    onMessage: () => undefined,
    stop: feed.stop,
    finished: new Promise(() => undefined),
  };
}

runWorker((message): message is FeedStart => message.worker === "feed", startFeedWorker);
