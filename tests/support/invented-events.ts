/** An invented event of recentchange, shaped like those of the field cases. `undefined` removes a key. */
export type InventedEvent = Record<string, unknown> & { meta: Record<string, unknown> };

/** The moment this process began, ms: event times of a test are relative to it. */
export const T0_MS = Math.floor(Date.now() / 1_000) * 1_000;

const STREAM = "mediawiki.recentchange";

/** Event `i` at `atMs`; keys of `changes` replace, `meta` is merged. */
export function event(
  i: number,
  changes: Readonly<Record<string, unknown>> & { readonly meta?: Readonly<Record<string, unknown>> } = {},
  atMs = T0_MS,
): InventedEvent {
  const { meta, ...rest } = changes;
  return {
    $schema: "/mediawiki/recentchange/1.0.0",
    id: i,
    type: "edit",
    namespace: 0,
    title: `P${i}`,
    comment: "c",
    timestamp: Math.floor(atMs / 1_000),
    user: `U${i % 5}`,
    bot: false,
    minor: false,
    length: { old: 10, new: 20 + i },
    revision: { old: i, new: i + 1 },
    server_url: "https://xx.example.org",
    server_name: "xx.example.org",
    server_script_path: "/w",
    wiki: "xxwiki",
    parsedcomment: "c",
    ...rest,
    meta: {
      uri: `https://xx.example.org/wiki/P${i}`,
      request_id: idOf(9_000_000 + i),
      id: idOf(i),
      domain: "xx.example.org",
      stream: STREAM,
      dt: new Date(atMs).toISOString(),
      topic: `eqiad.${STREAM}`,
      partition: 0,
      offset: 1_000 + i,
      ...meta,
    },
  };
}

/** A canary of the idle data centre (or of `topic`), with nothing of an edit. */
export function canary(offset: number, topic = `codfw.${STREAM}`, atMs = T0_MS): InventedEvent {
  return {
    $schema: "/mediawiki/recentchange/1.0.0",
    meta: {
      id: idOf(5_000_000 + offset),
      domain: "canary",
      stream: STREAM,
      dt: new Date(atMs).toISOString(),
      topic,
      partition: 0,
      offset,
    },
  };
}

/** The `meta.id` of event `i`. */
export function idOf(i: number): string {
  return `00000000-0000-4000-8000-${String(i).padStart(12, "0")}`;
}

/** The SSE id behind an event, as the real service makes it. */
export function sseId(of: InventedEvent): string {
  const dt = Date.parse(String(of.meta["dt"]));
  const topic = String(of.meta["topic"]);
  const other = topic.startsWith("eqiad") ? `codfw.${STREAM}` : `eqiad.${STREAM}`;
  return JSON.stringify([
    { topic, partition: 0, timestamp: (Number.isNaN(dt) ? T0_MS : dt) + 1 },
    { topic: other, partition: 0, offset: -1 },
  ]);
}

/** One SSE frame. `raw`: these bytes instead of the event's JSON. */
export function frame(
  of: InventedEvent,
  options: { readonly id?: string; readonly raw?: string; readonly lineEnd?: string } = {},
): string {
  const { id = sseId(of), raw = JSON.stringify(of), lineEnd = "\n" } = options;
  return ["event: message", `id: ${id}`, `data: ${raw}`, "", ""].join(lineEnd);
}

/** The smallest timestamp that a request resumes from, ms; 0 without one. */
export function resumedFromMs(header: string | string[] | undefined): number {
  if (typeof header !== "string") return 0;
  const times = [...header.matchAll(/"timestamp":\s*(\d+)/g)].map((match) => Number(match[1]));
  return times.length === 0 ? 0 : Math.min(...times);
}
