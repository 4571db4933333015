import { createHash } from "node:crypto";
import { expect, test } from "vitest";
import { eventKind } from "./event-kind.ts";
import { canaryPosition, canaryText, eventText } from "./event-text.ts";
import { type FeedPlan, IDLE_TOPIC, SERVED_TOPIC } from "./feed-plan.ts";
import {
  arrivalMs,
  entryAt,
  firstPositionAtOrAfter,
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

test("20,000 events have every type, every shape of log_params and every optional both ways", () => {
  const seen = new Set<string>();
  const ids = new Set<unknown>();
  const shares = { late: 0, malformed: 0, ok: 0, oversized: 0 };
  const sizes: number[] = [];
  const wrong: number[] = [];
  const of = plan();
  for (let k = 0; k < of.events; k += 1) {
    const kind = eventKind(of, k);
    shares[kind.kind] += 1;
    if (kind.kind === "malformed") continue;
    const text = eventText(of, k);
    const event = parse(text);
    sizes.push(Buffer.byteLength(text));
    ids.add(event.meta["id"]);
    seen.add(`type ${String(event["type"])}`);
    if (event["type"] === "log") seen.add(`log_params ${shapeOf(event["log_params"])}`);
    for (const key of ["id", "user", "title_url", "notify_url", "patrolled", "minor"])
      seen.add(`${key} ${key in event}`);
    if (/[\u200e\u200f\u202b]/.test(String(event["comment"]))) seen.add("bidi mark");
    if (/\n/.test(String(event["comment"]))) seen.add("newline");
    if (/<script>/.test(String(event["comment"]))) seen.add("html-like");
    if (/^~2026-/.test(String(event["user"]))) seen.add("temporary account");
    const rightTimes =
      event["timestamp"] === Math.floor(kind.eventTimeMs / 1000) &&
      event.meta["dt"] === new Date(arrivalMs(of, k)).toISOString();
    if (!rightTimes || !hasRightShape(event)) wrong.push(k);
  }
  expect(wrong).toEqual([]);
  const both = ["id", "user", "title_url", "notify_url", "patrolled", "minor"].flatMap((key) => [
    `${key} true`,
    `${key} false`,
  ]);
  const types = ["edit", "new", "categorize", "log", "external", "142"].map((type) => `type ${type}`);
  const shapes = ["object", "list", "empty list", "text", "absent"].map((shape) => `log_params ${shape}`);
  const texts = ["bidi mark", "newline", "html-like", "temporary account"];
  expect([...seen].toSorted()).toEqual(expect.arrayContaining([...types, ...shapes, ...texts, ...both]));
  expect(ids.size).toBe(sizes.length);
  expect(shares.late / of.events).toBeCloseTo(0.01, 2);
  expect(shares.malformed / of.events).toBeCloseTo(0.003, 3);
  const median = sizes.toSorted((a, b) => a - b)[Math.floor(sizes.length / 2)] ?? 0;
  expect(median).toBeGreaterThan(900);
  expect(median).toBeLessThan(1300);
  expect(Math.max(...sizes)).toBeGreaterThan(3000);
});

function shapeOf(value: unknown): string {
  if (value === undefined) return "absent";
  if (Array.isArray(value)) return value.length === 0 ? "empty list" : "list";
  return typeof value === "object" ? "object" : "text";
}

function hasRightShape(event: Loose): boolean {
  const isChange = event["type"] === "edit" || event["type"] === "new" || event["type"] === "external";
  const revision = event["revision"] as { old?: number; new: number } | undefined;
  const length = event["length"] as { old?: number; new: number } | undefined;
  const hasBoth = revision !== undefined && length !== undefined;
  if (isChange !== hasBoth) return false;
  if (event["type"] === "new" && (revision?.old !== undefined || length?.old !== undefined)) return false;
  if (event["type"] === "edit" && !((revision?.old ?? 0) > 0 && (revision?.new ?? 0) > (revision?.old ?? 0)))
    return false;
  const host = String(event["server_name"]);
  return (
    event.meta["domain"] === host &&
    event["server_url"] === `https://${host}` &&
    URL.canParse(String(event.meta["uri"])) &&
    Array.from(String(event["comment"])).length <= 500
  );
}

test("every readable record of the served topic has the next offset, canaries included, and a position leads back from it", () => {
  const of = plan({ events: 5000 });
  let expected = offsetAt(of, 0);
  for (let p = 0; p < 5100; p += 1) {
    const entry = entryAt(of, p);
    if (
      entry.what === "event" &&
      eventKind(of, entry.k).kind === "malformed" &&
      offsetAt(of, p + 1) === offsetAt(of, p)
    ) {
      expect(eventText(of, entry.k)).not.toContain('"offset"');
      continue;
    }
    const text = entry.what === "event" ? eventText(of, entry.k) : canaryText(of, SERVED_TOPIC, entry.c);
    expect(parse(text).meta["offset"]).toBe(expected);
    if (entry.what === "canary") expect(canaryPosition(of, entry.c)).toBe(p);
    const back = positionOfOffset(of, expected, 5100);
    expect(offsetAt(of, back)).toBe(expected);
    expected += 1;
  }
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
