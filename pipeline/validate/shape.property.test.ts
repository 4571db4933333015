import { Ajv } from "ajv";
import fc from "fast-check";
import { expect, test } from "vitest";
import type { JsonObject, JsonValue } from "../protocol/change.ts";
import { event } from "./events.test-support.ts";
import { recentChangeSchema } from "./recent-change-schema.ts";
import { findShapeFault } from "./shape.ts";

const SEED = Number(process.env["HIGHWATER_SEED"] ?? Date.now() % 2 ** 31);

const isValid = new Ajv({ allowUnionTypes: true }).compile(recentChangeSchema);

const odd = fc.oneof(
  fc.constantFrom<JsonValue>(null, true, false, 0, -1, 1.5, 1e30, "", "x", "142", [], {}, [1], { old: 1 }),
  fc.constantFrom<JsonValue>({ old: null }, { old: 1.5 }, { new: "1" }, { old: {}, new: 2 }),
  fc.jsonValue().map((value) => JSON.parse(JSON.stringify(value)) as JsonValue),
);
const eventKey = fc.constantFrom(...Object.keys(recentChangeSchema.properties), "unknown", "__proto__");
const metaKey = fc.constantFrom(...Object.keys(recentChangeSchema.properties.meta.properties), "key");
const changed = fc
  .tuple(fc.dictionary(eventKey, odd, { maxKeys: 3 }), fc.dictionary(metaKey, odd, { maxKeys: 2 }))
  .map(([change, meta]): JsonObject => {
    const base = event("meta" in change ? change : { ...change, meta });
    return JSON.parse(JSON.stringify(base)) as JsonObject;
  });
const without = fc.tuple(changed, eventKey).map(([base, key]): JsonObject => {
  return Object.fromEntries(Object.entries(base).filter(([name]) => name !== key));
});

test(`the hand-written shape check gives ajv's verdict on every event (seed ${SEED})`, () => {
  fc.assert(
    fc.property(fc.oneof(changed, without), (candidate) => {
      expect({ candidate, isRight: findShapeFault(candidate) === null }).toEqual({
        candidate,
        isRight: isValid(candidate),
      });
    }),
    { seed: SEED, numRuns: 3_000 },
  );
});

test("events of both verdicts are generated, so that the comparison means something", () => {
  const verdicts = fc
    .sample(fc.oneof(changed, without), { seed: SEED, numRuns: 500 })
    .map((each) => isValid(each));
  expect(verdicts).toContain(true);
  expect(verdicts).toContain(false);
});
