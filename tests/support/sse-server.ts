import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { setTimeout as delay } from "node:timers/promises";
import type { Scope } from "./scope.ts";

/** One connection of a misbehaving feed. */
export type Line = {
  /** Number of the connection, 1 = the first. */
  readonly n: number;
  readonly request: IncomingMessage;
  /** One write to the socket, then a pause. Resolves to false once the client is gone. */
  readonly write: (bytes: string | Uint8Array, pauseMs?: number) => Promise<boolean>;
  /** Keeps the connection open until the client leaves or the test ends. */
  readonly hold: () => Promise<void>;
  /** Keeps it open for a while, or until the client leaves. */
  readonly wait: (ms: number) => Promise<void>;
  readonly isGone: () => boolean;
};

/** What a connection is served; it ends when this resolves. */
export type Play = (line: Line) => Promise<void>;

/** A running server. */
export type SseServer = {
  readonly url: string;
  readonly requests: readonly IncomingMessage[];
  /** Connections that are open now. */
  readonly open: () => number;
  /** Most connections that were open at once. */
  readonly mostOpen: () => number;
  /** From now on nothing is written and no request is answered, yet every socket stays open (a dead peer). */
  readonly freeze: () => void;
  readonly thaw: () => void;
};

/** A small server shaped like the one of the field cases: every connection is served `play`. Ends with the scope. */
export async function startSseServer(
  scope: Scope,
  play: Play,
  headers: Readonly<Record<string, string>> = {},
): Promise<SseServer> {
  const requests: IncomingMessage[] = [];
  let [open, mostOpen, thawed] = [0, 0, Promise.resolve()];
  let thaw: () => void = () => undefined;
  const serve = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    requests.push(request);
    const n = requests.length;
    let isGone = false;
    const gone = new Promise<void>((resolve) =>
      response.on("close", () => {
        isGone = true;
        open -= 1;
        resolve();
      }),
    );
    open += 1;
    mostOpen = Math.max(mostOpen, open);
    await Promise.race([thawed, gone]);
    response.writeHead(200, { "content-type": "text/event-stream; charset=utf-8", ...headers });
    response.flushHeaders();
    const wait = async (ms: number): Promise<void> => {
      const over = new AbortController();
      await Promise.race([gone, delay(ms, undefined, { signal: over.signal }).catch(() => undefined)]);
      over.abort();
    };
    await play({
      n,
      request,
      isGone: () => isGone,
      hold: () => gone,
      wait,
      write: async (bytes, pauseMs = 0) => {
        await Promise.race([thawed, gone]);
        if (isGone) return false;
        const isTaken = response.write(bytes);
        if (!isTaken) await Promise.race([new Promise((resolve) => response.once("drain", resolve)), gone]);
        if (pauseMs > 0) await wait(pauseMs);
        return !isGone;
      },
    });
    response.end();
  };
  const server = createServer((request, response) => {
    serve(request, response).catch((error: unknown) =>
      response.destroy(error instanceof Error ? error : undefined),
    );
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  scope.onEnd(async () => {
    thaw();
    const closed = new Promise((resolve) => server.close(resolve));
    server.closeAllConnections();
    await closed;
  });
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("the test server has no port");
  return {
    url: `http://127.0.0.1:${address.port}/v2/stream/recentchange`,
    requests,
    open: () => open,
    mostOpen: () => mostOpen,
    freeze: () => {
      thawed = new Promise((resolve) => (thaw = resolve));
    },
    thaw: () => thaw(),
  };
}
