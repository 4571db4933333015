import { get, type IncomingHttpHeaders, type IncomingMessage } from "node:http";
import type { FeedOptions } from "../protocol/worker-messages.ts";
import { feedOptionsSchema } from "../protocol/feed-options.ts";

/** A frame as a client saw it. */
export type SeenFrame = { readonly id: string; readonly data: string };

/** A plain HTTP client that keeps whole frames only. */
export type StreamClient = {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly frames: SeenFrame[];
  readonly text: () => string;
  readonly ended: Promise<void>;
  readonly waitFor: (condition: () => boolean) => Promise<void>;
  readonly response: IncomingMessage;
  readonly close: () => void;
};

/** Fixed options: event time begins at a known moment, as fast as possible, no faults unless given. */
export function options(changes: Partial<FeedOptions> = {}): FeedOptions {
  return feedOptionsSchema.parse({ rate: 0, seed: 7, startMs: 1_790_000_000_000, ...changes });
}

/** Connects and resolves with the status line. */
export function openStream(url: string, headers: Record<string, string> = {}): Promise<StreamClient> {
  return new Promise((resolve, reject) => {
    const request = get(
      url,
      { agent: false, headers: { "user-agent": "test/1.0 (test@example.org)", ...headers } },
      (response) => {
        const frames: SeenFrame[] = [];
        const listeners = new Set<() => void>();
        let text = "";
        let rest = "";
        response.setEncoding("utf8").on("data", (chunk: string) => {
          text += text.length < 65_536 ? chunk : "";
          const parts = (rest + chunk).split("\n\n");
          rest = parts.pop() ?? "";
          for (const part of parts) {
            const match = /^event: message\nid: (.*)\ndata: (.*)$/s.exec(part);
            if (match !== null) frames.push({ id: match[1] ?? "", data: match[2] ?? "" });
          }
          for (const listener of listeners) listener();
        });
        const ended = new Promise<void>((done) => {
          response.on("error", () => done()).on("close", () => done());
        });
        const waitFor = async (condition: () => boolean): Promise<void> => {
          const met = new Promise<void>((done) => {
            listeners.add(() => {
              if (condition()) done();
            });
          });
          // A small answer may be over before anybody waits for it.
          if (!condition()) await Promise.race([met, ended]);
          if (!condition()) throw new Error(`stream ended after ${frames.length} frames`);
        };
        const status = response.statusCode ?? 0;
        resolve({
          status,
          headers: response.headers,
          frames,
          text: () => text,
          ended,
          waitFor,
          response,
          close: () => void response.destroy(),
        });
      },
    );
    request.on("error", reject);
  });
}
