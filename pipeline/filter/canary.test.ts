import { expect, test } from "vitest";
import { canaryId, isCanary } from "./canary.ts";

test("only meta.domain makes a canary, whatever else the event holds", () => {
  expect(isCanary({ meta: { domain: "canary", stream: "mediawiki.recentchange" } })).toBe(true);
  expect(isCanary({ meta: { domain: "canary.wikipedia.org" } })).toBe(false);
  expect(isCanary({ domain: "canary" })).toBe(false);
  expect(isCanary({ meta: null })).toBe(false);
  expect(isCanary({ meta: ["canary"] })).toBe(false);
});

test("a canary is found by its id, and an id that no text column should hold is left out", () => {
  expect(canaryId({ meta: { domain: "canary", id: "3c333c86-ec78-40db-b302-e96e43c1d552" } })).toBe(
    "3c333c86-ec78-40db-b302-e96e43c1d552",
  );
  for (const id of [7, "", "a\u0000b", "x".repeat(129), null])
    expect(canaryId({ meta: { domain: "canary", id } })).toBeNull();
  expect(canaryId({ meta: "none" })).toBeNull();
});
