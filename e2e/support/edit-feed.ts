import { createServer, type ServerResponse } from "node:http";
import { once } from "node:events";

/** What a test wants of an edit; the rest is an ordinary one. */
export type EditWish = {
  readonly title?: string;
  readonly user?: string;
  readonly comment?: string;
  readonly uri?: string;
  /** Seconds before now at which it happened. */
  readonly agoSeconds?: number;
};

/** A feed that sends what it is told to, once, to each client, and then only stays open. */
export type EditFeed = { readonly url: string; readonly [Symbol.asyncDispose]: () => Promise<void> };

function editAt(nth: number, { title, user, comment, uri, agoSeconds = 0 }: EditWish): string {
  const timestamp = Math.floor(Date.now() / 1_000) - agoSeconds;
  const id = `00000000-0000-4000-8000-${String(nth).padStart(12, "0")}`;
  const dt = new Date(timestamp * 1_000).toISOString();
  const meta = { domain: "en.wikipedia.org", stream: "mediawiki.recentchange", dt, id, partition: 0 };
  return JSON.stringify({
    $schema: "/mediawiki/recentchange/1.0.0",
    meta: {
      ...meta,
      uri: uri ?? `https://en.wikipedia.org/wiki/P${nth}`,
      request_id: id,
      topic: "eqiad.mediawiki.recentchange",
      offset: 1_000 + nth,
    },
    id: nth,
    type: "edit",
    namespace: 0,
    title: title ?? `P${nth}`,
    comment: comment ?? "c",
    timestamp,
    user: user ?? "U",
    bot: false,
    minor: false,
    length: { old: 10, new: 20 },
    revision: { old: nth, new: nth + 1 },
    server_url: "https://en.wikipedia.org",
    server_name: "en.wikipedia.org",
    server_script_path: "/w",
    wiki: "enwiki",
    parsedcomment: "c",
  });
}

function frame(data: string, nth: number): string {
  const id = JSON.stringify([
    { topic: "eqiad.mediawiki.recentchange", partition: 0, timestamp: Date.now() + nth },
    { topic: "codfw.mediawiki.recentchange", partition: 0, offset: -1 },
  ]);
  return `event: message\nid: ${id}\ndata: ${data}\n\n`;
}

/** Serves `edits`, then `broken` as data that are no edits. */
export async function serveEdits(
  edits: readonly EditWish[],
  broken: readonly string[] = [],
): Promise<EditFeed> {
  const open = new Set<ServerResponse>();
  const frames = [...edits.map((wish, at) => editAt(at + 1, wish)), ...broken].map(frame).join("");
  const server = createServer((_request, response) => {
    response.writeHead(200, { "content-type": "text/event-stream; charset=utf-8" });
    open.add(response);
    response.once("close", () => open.delete(response));
    response.write(frames);
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  const port = typeof address === "object" && address !== null ? address.port : 0;
  return {
    url: `http://127.0.0.1:${port}/v2/stream/recentchange`,
    [Symbol.asyncDispose]: async () => {
      for (const response of open) response.destroy();
      server.close();
      await once(server, "close");
    },
  };
}
