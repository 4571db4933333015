import { describe, expect, test } from "vitest";
import { runTarget } from "./run-target.ts";

/** `|` stands for the cursor, two of them for a selection. */
function target(marked: string) {
  const anchor = marked.indexOf("|");
  const rest = marked.slice(anchor + 1).indexOf("|");
  const head = rest < 0 ? anchor : anchor + rest;
  const text = marked.replaceAll("|", "");
  const found = runTarget({ text, anchor, head });
  return found === null
    ? null
    : { sent: found.text, marked: text.slice(found.from, found.to), at: found.sentFrom };
}

describe("C25: what is run, as it was typed", () => {
  test.each([
    ["SELECT * FROM t -- tail|", { sent: "SELECT * FROM t -- tail", marked: "SELECT * FROM t", at: 0 }],
    ["-- head\nSELECT 1|", { sent: "-- head\nSELECT 1", marked: "SELECT 1", at: 0 }],
    [
      "/* a ; b */ SELECT ';' AS x;;|",
      { sent: "/* a ; b */ SELECT ';' AS x", marked: "SELECT ';' AS x", at: 0 },
    ],
    ["SELECT 1;\n\nSEL|ECT 2", { sent: "SELECT 2", marked: "SELECT 2", at: 11 }],
    ["SELECT 1; |SELECT 2|;", { sent: "SELECT 2", marked: "SELECT 2", at: 10 }],
    ["|SELECT 1; SELECT 2|", { sent: "SELECT 1; SELECT 2", marked: "SELECT 1; SELECT 2", at: 0 }],
    ["SELECT |'a; b' AS |x", { sent: "'a; b' AS ", marked: "'a; b' AS", at: 7 }],
    ["|SELECT 'un|terminated' AS x", { sent: "SELECT 'un", marked: "SELECT 'un", at: 0 }],
    ["-- only|", null],
    [";|", null],
    ["SELECT 1; |-- x\n|", null],
    ["|", null],
  ])("%j", (text, expected) => expect(target(text)).toEqual(expected));
});
