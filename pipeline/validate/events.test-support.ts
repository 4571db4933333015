import type { LogRecord, RecordKind } from "#storage/model/record.ts";
import { toOffset } from "#storage/model/brand.ts";
import type { JsonObject, JsonValue } from "../protocol/change.ts";

type Loose = JsonValue | undefined | { readonly [key: string]: Loose };

/** 2026-11-30T12:00:00Z in seconds: the "now" of invented events. */
export const NOW_S = 1_796_040_000;

/** A recentchange event, invented; keys in `change` replace or add, undefined removes; `meta` is merged. */
export function event(change: Readonly<Record<string, Loose>> = {}): JsonObject {
  const { meta, ...rest } = change;
  const base: Record<string, Loose> = {
    $schema: "/mediawiki/recentchange/1.0.0",
    id: 17,
    type: "edit",
    namespace: 0,
    title: "Tide",
    comment: "c",
    parsedcomment: "c",
    timestamp: NOW_S,
    user: "Ada",
    bot: false,
    minor: false,
    length: { old: 10, new: 20 },
    revision: { old: 100, new: 101 },
    server_url: "https://en.wikipedia.org",
    server_name: "en.wikipedia.org",
    server_script_path: "/w",
    wiki: "enwiki",
    ...rest,
  };
  const envelope: Record<string, Loose> = {
    id: "00000000-0000-4000-8000-000000000001",
    dt: "2026-11-30T12:00:00.250Z",
    domain: base["server_name"] ?? "en.wikipedia.org",
    stream: "mediawiki.recentchange",
    uri: "https://en.wikipedia.org/wiki/Tide",
    request_id: "r",
    topic: "eqiad.mediawiki.recentchange",
    partition: 0,
    offset: 1000,
  };
  const merged = isMergeable(meta) ? { ...envelope, ...meta } : meta;
  return withoutUndefined({ ...base, meta: merged });
}

function isMergeable(meta: Loose): meta is { readonly [key: string]: Loose } | undefined {
  return meta === undefined || (typeof meta === "object" && meta !== null && !Array.isArray(meta));
}

function withoutUndefined(object: Readonly<Record<string, Loose>>): JsonObject {
  return JSON.parse(JSON.stringify(object)) as JsonObject;
}

/** A log record around `data`. */
export function record(data: string | Uint8Array, change: Partial<LogRecord> = {}): LogRecord {
  const kind: RecordKind = "event";
  return {
    offset: toOffset(1),
    kind,
    stream: "message",
    sourceId: "",
    receivedTimeMs: NOW_S * 1_000 + 1_000,
    serverOffsetMs: null,
    data: typeof data === "string" ? new TextEncoder().encode(data) : data,
    detail: null,
    ...change,
  };
}
