import { readdirSync } from "node:fs";
import { expect, test } from "vitest";
import { RULE_IDS } from "../../protocol/rule-ids.ts";
import { RULES } from "./registry.ts";

test("every rule file is registered under its own name, and nothing else is", () => {
  const files = readdirSync(import.meta.dirname)
    .filter((name) => name.endsWith(".ts") && !name.endsWith(".test.ts") && name !== "registry.ts")
    .map((name) => name.replace(/\.ts$/, ""));
  expect(RULES.map((rule) => rule.id).sort()).toEqual(files.sort());
});

test("the rules that settings can name are those that are asked", () => {
  expect([...RULE_IDS]).toEqual(RULES.map(({ id }) => id));
});

test("no two rules share a reason code", () => {
  const codes = RULES.flatMap((rule) => rule.reasonCodes);
  expect(new Set(codes).size).toBe(codes.length);
});
