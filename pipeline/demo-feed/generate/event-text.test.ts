import { runUuid } from "./random.ts";
import { createHash } from "node:crypto";
import { expect, test } from "vitest";
import { z } from "zod";
import { eventKind } from "./event-kind.ts";
import { canaryPosition, canaryText, eventText } from "./event-text.ts";
import { type FeedPlan, IDLE_TOPIC, SERVED_TOPIC } from "./feed-plan.ts";
import {
  arrivalMs,
  entryAt,
  firstPositionAtOrAfter,
  hasNoOffset,
  kafkaMsAt,
  offsetAt,
  positionOfOffset,
} from "./positions.ts";

type Loose = Record<string, unknown> & { meta: Record<string, unknown> };

function plan(changes: Partial<FeedPlan> = {}): FeedPlan {
  return {
    seed: 7,
    startMs: 1_790_000_000_000,
    eventRate: 40,
    events: 20_000,
    canaryStep: 500,
    faults: new Set(),
    ...changes,
  };
}

function parse(text: string): Loose {
  return JSON.parse(text) as Loose;
}

function digest(of: FeedPlan, order: readonly number[]): string[] {
  return order.map((k) => createHash("sha256").update(eventText(of, k)).digest("hex"));
}

test("the same seed and start give the same bytes in any order, another seed or start gives others", () => {
  const forth = Array.from({ length: 300 }, (_, k) => k);
  const back = digest(plan(), forth.toReversed()).toReversed();
  expect(digest(plan(), forth)).toEqual(back);
  expect(digest(plan({ seed: 8 }), forth)).not.toContain(back[0]);
  expect(digest(plan({ startMs: 1_790_000_060_000 }), forth)).not.toContain(back[0]);
});

const whole = z.int().min(0);
const common = {
  $schema: z.literal("/mediawiki/recentchange/1.0.0"),
  meta: z.strictObject({
    uri: z.url(),
    request_id: z.uuidv4(),
    id: z.uuidv4(),
    dt: z.iso.datetime({ precision: 3 }),
    domain: z.string(),
    stream: z.literal("mediawiki.recentchange"),
    topic: z.literal(SERVED_TOPIC),
    partition: z.literal(0),
    offset: whole,
  }),
  namespace: z.int(),
  title: z.string().min(1),
  title_url: z.url().optional(),
  comment: z.string().refine((text) => Array.from(text).length <= 500),
  timestamp: whole,
  user: z.string().min(1).optional(),
  bot: z.boolean(),
  server_url: z.url(),
  server_name: z.string(),
  server_script_path: z.literal("/w"),
  wiki: z.string(),
  parsedcomment: z.string(),
};
const change = {
  ...common,
  id: whole,
  notify_url: z.url().optional(),
  minor: z.boolean(),
  patrolled: z.boolean().optional(),
};
const pair = z.strictObject({ old: whole, new: whole });
const single = z.strictObject({ new: whole });
/** What reference recordings have, type by type; unknown keys are refused. */
const eventSchema = z
  .discriminatedUnion("type", [
    z.strictObject({
      ...change,
      type: z.literal("edit"),
      length: pair,
      revision: pair.refine((revision) => revision.old > 0 && revision.old < revision.new),
    }),
    z.strictObject({ ...change, type: z.literal("new"), length: single, revision: single }),
    z.strictObject({ ...change, type: z.literal("external"), length: pair, revision: pair }),
    z.strictObject({ ...common, type: z.literal("categorize"), id: whole, notify_url: z.url().optional() }),
    z.strictObject({ ...common, type: z.literal("142"), id: whole }),
    z.strictObject({
      ...common,
      type: z.literal("log"),
      id: whole.optional(),
      log_id: whole,
      log_type: z.string(),
      log_action: z.string(),
      log_params: z.union([z.string(), z.array(z.unknown()), z.record(z.string(), z.unknown())]).optional(),
      log_action_comment: z.string(),
    }),
  ])
  .refine(
    (event) => event.meta.domain === event.server_name && event.server_url === `https://${event.server_name}`,
  );

const OPTIONALS = ["id", "user", "title_url", "notify_url", "patrolled", "minor"] as const;

/** Everything worth meeting in one event. */
function traitsOf(event: Loose): string[] {
  const comment = String(event["comment"]);
  return [
    `type ${String(event["type"])}`,
    event["type"] === "log" ? `log_params ${shapeOf(event["log_params"])}` : "no log",
    ...OPTIONALS.map((key) => `${key} ${key in event}`),
    /[\u200e\u200f\u202b]/.test(comment) ? "bidi mark" : "no mark",
    comment.includes("\n") ? "newline" : "one line",
    comment.includes("<script>") ? "html-like" : "plain",
    String(event["user"]).startsWith("~2026-") ? "temporary account" : "other user",
  ];
}

function shapeOf(value: unknown): string {
  if (value === undefined) return "absent";
  if (Array.isArray(value)) return value.length === 0 ? "empty list" : "list";
  return typeof value === "object" ? "object" : "text";
}

const of20k = plan();
const sound = Array.from({ length: of20k.events }, (_, k) => k).filter(
  (k) => eventKind(of20k, k).kind !== "malformed",
);

test("every sound one of 20,000 events has the documented shape, its own id, and times that follow from its number", () => {
  const ids = new Set<unknown>();
  const wrong: string[] = [];
  for (const k of sound) {
    const event = parse(eventText(of20k, k));
    ids.add(event.meta["id"]);
    const result = eventSchema.safeParse(event);
    if (!result.success) wrong.push(`${k}: ${result.error.message}`);
    if (event["timestamp"] !== Math.floor(eventKind(of20k, k).eventTimeMs / 1000))
      wrong.push(`${k}: timestamp`);
    if (event.meta["dt"] !== new Date(arrivalMs(of20k, k)).toISOString()) wrong.push(`${k}: dt`);
  }
  expect(wrong).toEqual([]);
  expect(ids.size).toBe(sound.length);
});

test("20,000 events have every type, every shape of log_params, every optional both ways, and realistic sizes", () => {
  const seen = new Set<string>();
  const sizes: number[] = [];
  for (const k of sound) {
    const text = eventText(of20k, k);
    sizes.push(Buffer.byteLength(text));
    for (const trait of traitsOf(parse(text))) seen.add(trait);
  }
  const both = OPTIONALS.flatMap((key) => [`${key} true`, `${key} false`]);
  const types = ["edit", "new", "categorize", "log", "external", "142"].map((type) => `type ${type}`);
  const shapes = ["object", "list", "empty list", "text", "absent"].map((shape) => `log_params ${shape}`);
  const texts = ["bidi mark", "newline", "html-like", "temporary account"];
  expect([...seen]).toEqual(expect.arrayContaining([...types, ...shapes, ...texts, ...both]));
  const median = sizes.toSorted((a, b) => a - b)[Math.floor(sizes.length / 2)] ?? 0;
  expect(median).toBeGreaterThan(900);
  expect(median).toBeLessThan(1300);
  expect(Math.max(...sizes)).toBeGreaterThan(3000);
});

test("the default mix is 1 % late and 0.3 % malformed; clean has neither", () => {
  const countOf = (of: FeedPlan, kind: string): number =>
    Array.from({ length: 20_000 }, (_, k) => eventKind(of, k).kind).filter((each) => each === kind).length;
  expect(countOf(of20k, "late") / 20_000).toBeCloseTo(0.01, 2);
  expect(countOf(of20k, "malformed") / 20_000).toBeCloseTo(0.003, 3);
  expect(countOf(plan({ faults: new Set(["clean"]) }), "ok")).toBe(20_000);
});

test("each flaw breaks the shape, the times or the agreement of its event", () => {
  const flaws = new Map<string, string>();
  for (let k = 0; k < of20k.events; k += 1) {
    const kind = eventKind(of20k, k);
    if (kind.kind === "malformed") flaws.set(kind.flaw, eventText(of20k, k));
  }
  const farAway = (text: string): boolean => /"timestamp":(4093286400|-1),/.test(text);
  const isSound = (text: string): boolean => {
    try {
      return eventSchema.safeParse(JSON.parse(text)).success && !farAway(text);
    } catch {
      return false;
    }
  };
  expect(flaws.size).toBe(9);
  expect([...flaws].filter(([, text]) => isSound(text))).toEqual([]);
});

test("every readable record of the served topic has the next offset, canaries included, and a position leads back from it", () => {
  const of = plan({ events: 5000 });
  const offsets: unknown[] = [];
  const lost: number[] = [];
  for (let p = 0; p < 5100; p += 1) {
    const entry = entryAt(of, p);
    const text = entry.what === "event" ? eventText(of, entry.k) : canaryText(of, SERVED_TOPIC, entry.c);
    if (hasNoOffset(of, p)) {
      if (text.includes('"offset"')) lost.push(p);
      continue;
    }
    offsets.push(parse(text).meta["offset"]);
    if (entry.what === "canary" && canaryPosition(of, entry.c) !== p) lost.push(p);
    if (offsetAt(of, positionOfOffset(of, offsetAt(of, p), 5100)) !== offsetAt(of, p)) lost.push(p);
  }
  const first = offsetAt(of, 0);
  expect(offsets).toEqual(offsets.map((_, i) => first + i));
  expect(offsets.length).toBeLessThan(5100);
  expect(lost).toEqual([]);
  expect(parse(canaryText(of, IDLE_TOPIC, 3)).meta["domain"]).toBe("canary");
});

test("a time leads to the first position that is stamped at or after it, as a plain search finds it", () => {
  const of = plan({ events: 3000 });
  for (let timestampMs = of.startMs - 500; timestampMs < of.startMs + 80_000; timestampMs += 613) {
    let wanted: number | null = null;
    for (let p = 0; p < 3000 && wanted === null; p += 1) if (kafkaMsAt(of, p) >= timestampMs) wanted = p;
    expect(firstPositionAtOrAfter(of, timestampMs, 3000)).toBe(wanted);
  }
});

test("resuming by the last id unchanged loses events in about a third of resumes; rewound by 10 s it loses none", () => {
  const of = plan({ events: 4000 });
  let losing = 0;
  for (let last = 500; last < 3500; last += 1) {
    const naive = firstPositionAtOrAfter(of, kafkaMsAt(of, last) + 1, 4000) ?? 4000;
    if (naive > last + 1) losing += 1;
    expect(firstPositionAtOrAfter(of, kafkaMsAt(of, last) + 1 - 10_000, 4000) ?? 4000).toBeLessThanOrEqual(
      last + 1,
    );
  }
  expect(losing / 3000).toBeGreaterThan(0.2);
  expect(losing / 3000).toBeLessThan(0.45);
});

test("late and malformed bursts, drift, disorder and oversized events come where the faults are on", () => {
  const of = plan({
    events: 5000,
    faults: new Set(["clean", "late", "malformed", "drift", "oversized", "hole"]),
  });
  const kinds = Array.from({ length: 5000 }, (_, k) => eventKind(of, k).kind);
  const count = (kind: string): number => kinds.filter((each) => each === kind).length;
  expect(count("malformed")).toBe(200);
  expect(count("late")).toBeGreaterThan(0);
  expect(count("oversized")).toBe(1);
  expect(Buffer.byteLength(eventText(of, 150))).toBeGreaterThan(10 * 1024 * 1024);
  const drifted = parse(eventText(of, 4999));
  expect(drifted["$schema"]).toBe("/mediawiki/recentchange/1.1.0");
  const steps = Array.from({ length: 1000 }, (_, p) => offsetAt(of, p + 1) - offsetAt(of, p));
  expect(steps.filter((step) => step !== 1)).toEqual([8]);
});

test("a feed that is started again never repeats the ids of its last run, and no two ids of a run are equal", () => {
  const ids = new Set<string>();
  for (const startMs of [1_796_083_391_554, 1_796_083_391_555]) {
    for (let k = 0; k < 20_000; k += 1) ids.add(runUuid(1, startMs, k, 30));
  }
  expect(ids.size).toBe(40_000);
});
