import fc from "fast-check";
import { expect, test } from "vitest";
import { findJsonError } from "./find-json-error.ts";

test.each([
  ['{"a":1,}', 7, "a name in quotes"],
  ['{"a" 1}', 5, "a colon"],
  ['{"a":1 "b":2}', 7, "a comma or }"],
  ["[1,]", 3, "a value"],
  ["[1 2]", 3, "a comma or ]"],
  ["{a:1}", 1, "a name in quotes or }"],
  ["[", 1, "a value or ]"],
  ['{"a":"x', 7, "the end of this text in quotes"],
  ['{"a":"x\ny"}', 7, "the end of this text in quotes"],
  ['{"a":"\\q"}', 6, "an escape that JSON has"],
  ['{"a":"\\ud8"}', 6, "an escape that JSON has"],
  ["{} {}", 3, "the end"],
  ["01", 1, "the end"],
  ["NaN", 0, "a value"],
  ["", 0, "a value"],
  ["\ufeff{}", 0, "a value"],
])("%j breaks at %d, where %s could stand", (text, at, expected) => {
  expect(findJsonError(text)).toEqual({ at, expected });
});

test("agrees with JSON.parse on what is JSON, for any value and for any text cut out of one", () => {
  fc.assert(
    fc.property(fc.json(), fc.nat(), fc.nat(), (json, from, length) => {
      const text = json.slice(from % (json.length + 1)).slice(0, length % (json.length + 1));
      for (const one of [json, text]) {
        let isJson = true;
        try {
          JSON.parse(one);
        } catch {
          isJson = false;
        }
        expect(findJsonError(one) === null).toBe(isJson);
      }
    }),
  );
});

test("a hundred thousand open brackets are no trouble", () => {
  expect(findJsonError("[".repeat(100_000))).toEqual({ at: 100_000, expected: "a value or ]" });
});
