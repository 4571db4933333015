import { expect, test } from "vitest";
import { toOffset, toSourceName } from "#storage/model/brand.ts";
import type { CommitInput } from "#storage/model/lake.ts";
import type { LedgerHop } from "#storage/model/ledger.ts";
import { DEFAULT_RESULT_SETTINGS } from "#storage/model/settings.ts";
import { createBatchState, toSourceState } from "./batch-state.ts";
import { SourceFacts } from "./source-facts.ts";

const SOURCE = toSourceName("x");

function commit(hops: Partial<Record<LedgerHop, number>>, more: Partial<CommitInput> = {}): CommitInput {
  const ledger = Object.entries(hops).map(([hop, count]) => ({
    source: SOURCE,
    stream: "s",
    hop: hop as LedgerHop,
    count,
    identityHash: 0n,
  }));
  return {
    source: SOURCE,
    fromOffset: toOffset(1),
    toOffset: toOffset(1),
    receivedMinMs: 1_000,
    receivedMaxMs: 2_000,
    appends: [],
    upserts: [],
    amends: [],
    ledger,
    gaps: [],
    state: toSourceState(createBatchState(SOURCE, null)),
    mode: "live",
    ...more,
  };
}

test("counts liveness signals since the last edit; a duplicate of an edit is an edit that came", () => {
  const facts = new SourceFacts(null, []);
  expect(facts.telemetry()).toMatchObject({ lastEditMs: null, filteredSinceEdit: 0, settings: null });
  facts.see(commit({ filtered: 2 }));
  facts.see(commit({ filtered: 2, control: 1 }));
  expect(facts.telemetry()).toMatchObject({ lastEditMs: null, filteredSinceEdit: 4 });
  facts.see(commit({ duplicate: 1, filtered: 5 }));
  expect(facts.telemetry()).toMatchObject({ lastEditMs: 2_000, filteredSinceEdit: 0 });
});

test("tells settings in force and their offset from the commit's own state, also the stored one of a restart", () => {
  const state = createBatchState(SOURCE, null);
  state.settings.put(1, DEFAULT_RESULT_SETTINGS);
  const changed = { ...DEFAULT_RESULT_SETTINGS, allowedLatenessMs: 7_000 };
  state.settings.put(70, changed);
  // A segment begins with the same settings again: nothing changed there.
  state.settings.put(90, changed);
  const stored = toSourceState(state);
  const expected = { sinceOffset: 70, inForce: { allowedLatenessMs: 7_000 } };
  expect(new SourceFacts(stored.extra, []).telemetry().settings).toMatchObject(expected);
  const facts = new SourceFacts(null, []);
  facts.see(commit({}, { state: stored }));
  expect(facts.telemetry().settings).toMatchObject(expected);
});

test("a rule that cannot be switched off, or that is none, is told as still on", () => {
  const state = createBatchState(SOURCE, null);
  const disabledRules = ["length-consistency", "required-identity", "no-such-rule"];
  state.settings.put(1, { ...DEFAULT_RESULT_SETTINGS, disabledRules });
  expect(new SourceFacts(toSourceState(state).extra, []).telemetry().settings?.rulesStillOn).toEqual([
    "required-identity",
    "no-such-rule",
  ]);
});

test("a state that an older build wrote tells the settings without an offset, never a wrong one", () => {
  const extra = JSON.stringify({ settings: DEFAULT_RESULT_SETTINGS });
  expect(new SourceFacts(extra, []).telemetry().settings).toMatchObject({ sinceOffset: null });
});

test("lists losses, newest last, and holes of busy topics only", () => {
  const hole = {
    topic: "eqiad",
    partition: 0,
    seenAt: 1,
    sinceMs: 0,
    changedAt: 1,
    missing: [],
    asks: 0,
    wasPassed: false,
  };
  const followed = [
    { ...hole, fromOffset: 1, toOffset: 2, isIdle: true, state: "open" },
    { ...hole, fromOffset: 5, toOffset: 6, isIdle: false, state: "asked" },
    { ...hole, fromOffset: 8, toOffset: 8, isIdle: false, state: "explained" },
  ];
  const extra = JSON.stringify({ gaps: { topics: [], followed } });
  const loss = (fromOffset: number, changedAt: number) => ({
    source: SOURCE,
    topic: "",
    partition: 0,
    fromOffset,
    toOffset: fromOffset + 1,
    state: "open" as const,
    reason: "gone",
    seenAt: toOffset(fromOffset),
    changedAt: toOffset(changedAt),
  });
  const facts = new SourceFacts(extra, [loss(10, 12), loss(50, 60)]);
  facts.see(commit({}, { gaps: [loss(10, 70)], state: { ...commit({}).state, extra } }));
  expect(facts.telemetry()).toMatchObject({
    activeHoles: { count: 1, newest: [{ fromOffset: 5, state: "asked" }] },
    losses: { count: 2, newest: [{ fromOffset: 50 }, { fromOffset: 10, changedAt: 70 }] },
  });
});
