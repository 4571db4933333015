import { expect, test } from "vitest";
import { toOffset } from "#storage/model/brand.ts";
import type { LogRecord } from "#storage/model/record.ts";
import { DEFAULT_RESULT_SETTINGS } from "#storage/model/settings.ts";
import { decode } from "../decode/decode.ts";
import { validate } from "../validate/validate.ts";
import { eventKind } from "./generate/event-kind.ts";
import { eventText } from "./generate/event-text.ts";
import type { FeedPlan } from "./generate/feed-plan.ts";
import { nominalTimeMs } from "./generate/feed-plan.ts";

test("validation lets every sound event pass, drifted ones too, and none of the malformed ones", () => {
  const plan: FeedPlan = {
    seed: 3,
    startMs: 1_796_040_000_000,
    eventRate: 2000,
    events: 12_000,
    canaryStep: 500,
    faults: new Set(["drift", "malformed", "out-of-order"]),
  };
  const disagreements: string[] = [];
  let malformed = 0;
  for (let k = 0; k < plan.events; k += 1) {
    const { kind } = eventKind(plan, k);
    const record: LogRecord = {
      offset: toOffset(k + 1),
      kind: "event",
      stream: "message",
      sourceId: "",
      receivedTimeMs: nominalTimeMs(plan, k),
      serverOffsetMs: null,
      data: Buffer.from(eventText(plan, k)),
      detail: null,
    };
    const verdict = validate(record, decode(record.data), DEFAULT_RESULT_SETTINGS);
    malformed += kind === "malformed" ? 1 : 0;
    if (verdict.valid !== (kind !== "malformed"))
      disagreements.push(`${k} ${kind} ${JSON.stringify(verdict)}`);
  }
  expect(disagreements).toEqual([]);
  expect(malformed).toBeGreaterThan(400);
});
