import { expect, test } from "vitest";
import { letterKey } from "./letter-key.ts";

const head = "a".repeat(64);
const whole = "b".repeat(64);
const detail = JSON.stringify({ lengthBytes: 25_000_000, sha256: whole });

test("knows a letter by its bytes, an oversized one by the bytes that were not kept too", () => {
  expect(letterKey("event", head, null)).toBe(head);
  expect(letterKey("event", head, detail)).toBe(head);
  expect(letterKey("oversized", head, detail)).toBe(whole);
  expect(letterKey("oversized", head, null)).toBe(head);
});

test("gives the same key when it is read back from the trace of the letter", () => {
  expect(letterKey("oversized", head, JSON.stringify({ detail }))).toBe(whole);
});
