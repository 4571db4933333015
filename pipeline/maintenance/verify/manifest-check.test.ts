import { hash } from "node:crypto";
import { expect, test } from "vitest";
import { logRecord } from "../../batch/fake-log.test-support.ts";
import { replay, SOURCE } from "../../batch/replay.test-support.ts";
import type { VerifyCheck } from "../../protocol/query-messages.ts";
import { event } from "../../validate/events.test-support.ts";
import type { FeedEntry } from "./manifest-check.ts";
import { verifyLake } from "./verify-lake.ts";

const sha256 = (text: string): string => hash("sha256", text, "hex");
const edit = (id: string): string => JSON.stringify(event({ meta: { id } }));
const CANARY = '{"meta":{"domain":"canary"}}';
const HEAD = "x".repeat(300);
const WHOLE = sha256("the whole frame");

const SENT = [
  logRecord(edit("a")),
  logRecord(edit("b")),
  logRecord(edit("a")),
  logRecord("{"),
  logRecord("{"),
  logRecord(CANARY),
  logRecord(HEAD, { kind: "oversized", detail: JSON.stringify({ lengthBytes: 12_000_000, sha256: WHOLE }) }),
];
const ENTRIES: readonly FeedEntry[] = [
  { id: "a", class: "ok", served: 2, sha256: sha256(edit("a")) },
  { id: "b", class: "late", served: 1, sha256: sha256(edit("b")) },
  { id: null, class: "malformed", served: 2, sha256: sha256("{") },
  { id: "k", class: "canary", served: 1, sha256: sha256(CANARY) },
  { id: "o", class: "oversized", served: 1, sha256: WHOLE },
  { id: "never", class: "ok", served: 0, sha256: sha256("") },
];

async function check(
  entries: readonly FeedEntry[],
  complete = true,
  whole = true,
): Promise<VerifyCheck | undefined> {
  const lake = await replay(SENT);
  async function* stream(): AsyncGenerator<FeedEntry> {
    await Promise.resolve();
    yield* entries;
  }
  const manifest = { header: { complete, whole }, entries: stream };
  const checks = await verifyLake({ reader: lake.reader(), source: SOURCE, manifest });
  return checks.find(({ id }) => id === "manifest");
}

const changed = (index: number, change: Partial<FeedEntry>): readonly FeedEntry[] =>
  ENTRIES.map((entry, at) => (at === index ? { ...entry, ...change } : entry));

test("a lake that holds each record once, and its repeats as discards, agrees with the feed", async () => {
  expect(await check(ENTRIES)).toMatchObject({ verdict: "ok" });
});

test("a serving that a cut connection swallowed is no fault", async () => {
  expect(await check(changed(0, { served: 3 }))).toMatchObject({ verdict: "ok" });
});

test.each([
  ["a record that never arrived", [...ENTRIES, { id: "c", class: "ok", served: 1, sha256: "" } as const]],
  ["more arrivals than servings", changed(0, { served: 1 })],
  ["a record in the lake that nobody served", ENTRIES.slice(1)],
  ["a dead letter of other bytes", changed(2, { sha256: sha256("}") })],
  ["an oversized frame of other bytes", changed(4, { sha256: sha256("other") })],
  ["a canary that nobody served", ENTRIES.filter((entry) => entry.class !== "canary")],
  ["a good record among the dead letters", changed(2, { class: "ok", id: "z" })],
])("broken: %s", async (_title, entries) => {
  expect(await check(entries)).toMatchObject({ verdict: "broken" });
});

test("what a feed that still runs has served and nobody took yet cannot be judged", async () => {
  const more = [...ENTRIES, { id: "c", class: "ok", served: 1, sha256: "" } as const];
  expect(await check(more, false)).toMatchObject({ verdict: "cannot-tell" });
});

test("after a kill of the feed its counts are lower bounds: nothing is a fault for them, and they cannot tell", async () => {
  const uncounted = changed(0, { served: 0 });
  expect(await check(uncounted)).toMatchObject({ verdict: "broken" });
  expect(await check(uncounted, true, false)).toMatchObject({ verdict: "cannot-tell", doubled: 0 });
  const more = [...ENTRIES, { id: "c", class: "ok", served: 1, sha256: "" } as const];
  expect(await check(more, true, false)).toMatchObject({ verdict: "broken", lost: 1 });
});
