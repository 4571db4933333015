import { DuckDBInstance } from "@duckdb/node-api";
import { expect, test } from "vitest";
import type { JsonNode } from "../json-tree/parse-json-text.ts";
import { parseNestedText } from "./parse-nested-text.ts";

function toPlain(node: JsonNode | null): unknown {
  if (node === null) return undefined;
  if (node.kind === "object")
    return Object.fromEntries(node.entries.map(({ key, value }) => [key, toPlain(value)]));
  if (node.kind === "array") return node.items.map(toPlain);
  return node.kind === "string" ? node.value : `<${node.text}>`;
}

test.each([
  ["{'k': 1, 'l': [1, 2], 's': {'t': NULL}}", { k: "<1>", l: ["<1>", "<2>"], s: { t: "<NULL>" } }],
  ["['it''s; [a, b]', 'x: y']", ["it's; [a, b]", "x: y"]],
  ["MAP {'a': 1, 'b c': 2}", { a: "<1>", "b c": "<2>" }],
  ["MAP {1: 'x', 2: 'y'}", { "1": "x", "2": "y" }],
  ["MAP {TIMESTAMP '2026-01-01 10:20:30': true}", { "2026-01-01 10:20:30": "<true>" }],
  ["[TIMESTAMP '2026-01-01 10:20:30', NULL]", ["<2026-01-01 10:20:30>", "<NULL>"]],
  ["[]::INTEGER[]", []],
  ["[[1], [], [NULL]]", [["<1>"], [], ["<NULL>"]]],
  ["{'e': ''}", { e: "" }],
])("%s as the database prints it", async (sql, expected) => {
  const connection = await (await DuckDBInstance.create()).connect();
  const [[value] = []] = (await connection.runAndReadAll(`SELECT ${sql}`)).getRows();
  expect(toPlain(parseNestedText(String(value)))).toEqual(expected);
});

test.each(["", "[", "[1", "{'a'", "{'a': }", "[1] 2", "'open"])("says that %j is none", (text) => {
  expect(parseNestedText(text)).toBeNull();
});

test("hostile nesting is shown as text instead of ending the call stack", () => {
  expect(parseNestedText(`${"[".repeat(100_000)}${"]".repeat(100_000)}`)).toBeNull();
});
