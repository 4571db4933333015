import { expect, test } from "vitest";
import { isCanary } from "./canary.ts";

test("only meta.domain makes a canary, whatever else the event holds", () => {
  expect(isCanary({ meta: { domain: "canary", stream: "mediawiki.recentchange" } })).toBe(true);
  expect(isCanary({ meta: { domain: "canary.wikipedia.org" } })).toBe(false);
  expect(isCanary({ domain: "canary" })).toBe(false);
  expect(isCanary({ meta: null })).toBe(false);
  expect(isCanary({ meta: ["canary"] })).toBe(false);
});
