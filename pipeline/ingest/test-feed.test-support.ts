import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { onTestFinished } from "vitest";

/** One connection to a test feed: request, answer, number (from 1). */
export type FeedConnection = {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly number: number;
};

/** A loopback server that plays one script per connection. Closed with the running test. */
export type TestFeed = {
  readonly url: string;
  /** Headers of each request, in order. */
  readonly requests: readonly IncomingMessage["headers"][];
  readonly paths: readonly string[];
  /** Most connections that were open at one time. */
  readonly mostAtOnce: () => number;
};

/** Starts a feed. `play` writes to the response; what it does not end stays open. */
export async function startTestFeed(play: (connection: FeedConnection) => void): Promise<TestFeed> {
  const requests: IncomingMessage["headers"][] = [];
  const paths: string[] = [];
  let open = 0;
  let most = 0;
  const server = createServer((request, response) => {
    requests.push(request.headers);
    paths.push(request.url ?? "");
    open += 1;
    most = Math.max(most, open);
    response.on("close", () => (open -= 1));
    play({ request, response, number: requests.length });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(async () => {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  });
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("no port");
  return {
    url: `http://127.0.0.1:${address.port}/v2/stream/recentchange`,
    requests,
    paths,
    mostAtOnce: () => most,
  };
}

/** Answers as EventStreams does: status 200, the event stream type, `:ok`. */
export function begin(
  { response }: FeedConnection,
  headers: Readonly<Record<string, string>> = {},
): ServerResponse {
  response.writeHead(200, { "content-type": "text/event-stream; charset=utf-8", ...headers });
  response.write(":ok\n\n");
  return response;
}

/** One frame as EventStreams sends it. */
export function frame(id: string, data: string | Buffer): Buffer {
  return Buffer.concat([
    Buffer.from(`event: message\nid: ${id}\ndata: `),
    Buffer.from(data),
    Buffer.from("\n\n"),
  ]);
}

/** An id as EventStreams gives it after a message of the active data centre with this Kafka time. */
export function idAfter(kafkaMs: number): string {
  return JSON.stringify([
    { topic: "eqiad.mediawiki.recentchange", partition: 0, timestamp: kafkaMs + 1 },
    { topic: "codfw.mediawiki.recentchange", partition: 0, offset: -1 },
  ]);
}
