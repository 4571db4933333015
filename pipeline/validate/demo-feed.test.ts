import { expect, test } from "vitest";
import { DEFAULT_RESULT_SETTINGS } from "#storage/model/settings.ts";
import { decode } from "../decode/decode.ts";
import { eventKind } from "../demo-feed/generate/event-kind.ts";
import { eventText } from "../demo-feed/generate/event-text.ts";
import { type FeedPlan, nominalTimeMs } from "../demo-feed/generate/feed-plan.ts";
import { record } from "./events.test-support.ts";
import { validate } from "./validate.ts";

/** The rule that must catch each of the feed's flaws. */
const RULE_OF_FLAW: Readonly<Record<string, string>> = {
  "half-json": "json",
  "not-an-object": "json",
  "missing-meta-id": "required-identity",
  "bad-dt": "shape",
  "wrong-type": "shape",
  "bad-revision": "revision-consistency",
  "wiki-domain": "wiki-domain",
  "future-time": "event-time-plausible",
  "negative-time": "event-time-present",
};

test("the demo feed's malformed events, and only they, are rejected, each by the rule for its flaw", () => {
  const plan: FeedPlan = {
    seed: 11,
    startMs: 1_796_040_000_000,
    eventRate: 40,
    events: 20_000,
    canaryStep: 500,
    faults: new Set(["drift", "malformed", "late", "out-of-order"]),
  };
  const flaws = new Set<string>();
  for (let k = 0; k < 6_000; k += 1) {
    const kind = eventKind(plan, k);
    const made = record(eventText(plan, k), { receivedTimeMs: nominalTimeMs(plan, k) + 1_000 });
    const verdict = validate(made, decode(made.data), DEFAULT_RESULT_SETTINGS);
    const expected = kind.kind === "malformed" ? RULE_OF_FLAW[kind.flaw] : "valid";
    if (kind.kind === "malformed") flaws.add(kind.flaw);
    expect(verdict.valid ? "valid" : verdict.ruleId).toBe(expected);
  }
  expect([...flaws].sort()).toEqual(Object.keys(RULE_OF_FLAW).sort());
});
