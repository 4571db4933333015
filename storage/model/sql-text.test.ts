import { describe, expect, test } from "vitest";
import { scanSql, skipBlanks, splitStatements, statementAt, withPlainSpaces } from "./sql-text.ts";

const codesOf = (text: string): readonly string[] =>
  splitStatements(text).map(({ codeFrom, codeTo }) => text.slice(codeFrom, codeTo));

describe("statements of a text", () => {
  test.each([
    ["SELECT 1; SELECT 2", ["SELECT 1", "SELECT 2"]],
    ["/* a ; b */ SELECT ';' AS x;;", ["SELECT ';' AS x"]],
    ["SELECT 'it''s; fine'; SELECT 2", ["SELECT 'it''s; fine'", "SELECT 2"]],
    [`SELECT ";""; " FROM t; x`, [`SELECT ";""; " FROM t`, "x"]],
    ["SELECT $$;$$; SELECT $a$ $b$; $a$", ["SELECT $$;$$", "SELECT $a$ $b$; $a$"]],
    ["SELECT e'\\';'; SELECT 'a\\'; SELECT 3", ["SELECT e'\\';'", "SELECT 'a\\'", "SELECT 3"]],
    ["SELECT a$b$; SELECT $1; SELECT 'e'';'", ["SELECT a$b$", "SELECT $1", "SELECT 'e'';'"]],
    ["/* /* ; */ ; */ SELECT 1 -- ; x\n; -- only", ["SELECT 1"]],
    ["SELECT 1 -- ; \r\n + 1; SELECT 2", ["SELECT 1 -- ; \r\n + 1", "SELECT 2"]],
    ["SELECT 1 - -1; SELECT 4 / 2", ["SELECT 1 - -1", "SELECT 4 / 2"]],
    ["\ufeff\u00a0SELECT\u00a01\u200b;", ["SELECT\u00a01"]],
    ["SELECT 'open; SELECT 2", ["SELECT 'open; SELECT 2"]],
    ["'😀;' ; x", ["'😀;'", "x"]],
    ["SELECT 1; /* open", ["SELECT 1", "/* open"]],
    ["-- only", []],
    [" ; ;; /* x */ ", []],
    ["", []],
  ])("%j", (text, expected) => {
    expect(codesOf(text)).toEqual(expected);
    // Without a gap and without an overlap, or a place would be counted wrongly.
    const spans = scanSql(text);
    expect(spans.map(({ from, to }) => text.slice(from, to)).join("")).toBe(text);
  });
});

describe("the statement at the cursor", () => {
  const at = (text: string): string | null => {
    const cursor = text.indexOf("|");
    const plain = text.replace("|", "");
    const found = statementAt(plain, cursor);
    return found === null ? null : plain.slice(found.codeFrom, found.codeTo);
  };
  test.each([
    ["SELECT 1;\nSELECT |2", "SELECT 2"],
    ["SEL|ECT 1;\nSELECT 2", "SELECT 1"],
    ["SELECT 1;|\nSELECT 2", "SELECT 1"],
    ["SELECT 1; -- tail|\nSELECT 2", "SELECT 1"],
    ["SELECT 1;\n|SELECT 2", "SELECT 2"],
    ["SELECT 1;\n-- he|ad\nSELECT 2", "SELECT 2"],
    ["SELECT 1;\nSELECT 2;\n\n|", "SELECT 2"],
    ["-- head\nSELECT 1|", "SELECT 1"],
    ["SELECT 'a;|b'; SELECT 2", "SELECT 'a;b'"],
    ["SELECT 1; SEL|ECT 2", "SELECT 2"],
    ["|-- only", null],
    ["|", null],
  ])("%j", (text, expected) => expect(at(text)).toBe(expected));
});

test("exotic spaces become plain ones outside of strings, names and comments, and no place moves", () => {
  const text = "\ufeffSELECT\u00a0'\u00a0😀\u200b', \"a\u00a0b\"\u200b, $$\u00a0$$ -- \u00a0";
  const plain = withPlainSpaces(text);
  expect(plain).toBe(" SELECT '\u00a0😀\u200b', \"a\u00a0b\" , $$\u00a0$$ -- \u00a0");
  expect(plain).toHaveLength(text.length);
  expect(withPlainSpaces("SELECT 1")).toBe("SELECT 1");
});

test("skips what stands before a statement, exotic spaces too", () => {
  expect(skipBlanks("\u200b ; -- x\n /* y /* z */ */ SELECT 1")).toBe("SELECT 1");
  expect(skipBlanks(" ; -- only")).toBe("");
});
