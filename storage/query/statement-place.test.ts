import { describe, expect, test } from "vitest";
import { AppError } from "../model/errors.ts";
import { ask, commit, withSession } from "./query.test-support.ts";
import type { QuerySession } from "./query-session.ts";

async function refusal(session: QuerySession, text: string): Promise<AppError> {
  const error = await ask(session, text).catch((caught: unknown) => caught);
  if (!(error instanceof AppError)) throw new Error(`${text} was not refused`);
  return error;
}

/** The place is given by `|` in the text, which is taken out. */
const PLACED: readonly (readonly [what: string, text: string])[] = [
  ["a word that is no keyword", "|SELCT 1"],
  ["a misspelt FROM", "SELECT * FRM |t x"],
  ["an unknown column", "SELECT title, |nope FROM silver.x, bronze.records".replace("silver.x, ", "")],
  ["an unknown table", "SELECT 1 FROM |gold.nothing"],
  ["the end of the text", "SELECT (1|"],
  ["a string that is not closed", "SELECT |'open"],
  ["what stands behind emoji", "SELECT '😀😀👩‍👩‍👧', |nope"],
  ["what stands behind tabs", "SELECT\t'a',\t\t|nope"],
  ["what stands behind letters of three bytes", "SELECT '日本語', 'é', |nope"],
  ["the second line", "SELECT 1,\n  |nope"],
  ["the line behind Windows' line ends", "SELECT 1,\r\n2,\r\n |nope"],
  ["the right one behind a comment in front", "-- é😀\n/* x */ SELECT |nope"],
  ["what stands behind exotic spaces", "\ufeffSELECT\u00a01\u200b, |nope"],
  ["what stands behind an exotic space inside of a string", "SELECT '\u200b\u00a0', |nope"],
  ["what is explained", "EXPLAIN ANALYZE SELECT '😀', |nope"],
  ["a cast that fails while it runs", "SELECT '😀', title|::INT FROM bronze.records"],
  ["a long line", `SELECT '${"x".repeat(300)}', |nope, '${"y".repeat(300)}'`],
  ["what must not run", "/* x */ |DROP TABLE t"],
  ["PIVOT without values", "SELECT * FROM (|PIVOT (SELECT 'a' w, 1 n) ON w USING sum(n))"],
];

describe("C30: an error names its place in the text as it was typed", () => {
  test.each(PLACED)("%s: %j", async (_what, marked) => {
    await withSession(async (lake, session) => {
      await commit(lake, 5);
      const offset = marked.indexOf("|");
      const { details, message } = await refusal(session, marked.replace("|", ""));
      const lines = marked.slice(0, offset).split(/\r\n|\n/u);
      expect({ message, ...details }).toMatchObject({
        message,
        offset,
        line: lines.length,
        column: (lines.at(-1) ?? "").length + 1,
      });
    });
  });
});

test("a message is DuckDB's own sentence, without the text of the statement and without wrapping", async () => {
  await withSession(async (lake, session) => {
    await commit(lake, 5);
    const { message } = await refusal(session, "SELECT nope FROM bronze.records");
    expect(message).toMatch(/^Binder Error: Referenced column "nope" not found/u);
    expect(message).not.toMatch(/LINE 1|exception_type/u);
    const odd = await refusal(session, "SELECT error('{ LINE 1: x')");
    expect(odd.message).toBe("Invalid Input Error: { LINE 1: x");
    expect(odd.details).toEqual({});
  });
});

test("C30: exotic spaces between words and a byte order mark in front run, and inside of a string they are kept", async () => {
  await withSession(async (lake, session) => {
    await commit(lake, 5);
    expect((await ask(session, "\ufeffSELECT\u00a0count(*)\u200b\u3000FROM bronze.records")).rows).toEqual([
      [5],
    ]);
    expect((await ask(session, "SELECT length('\u00a0x\u200b'), length($$\ufeff$$)")).rows).toEqual([[3, 1]]);
    const missed = "SELECT count(*) FROM bronze.records WHERE source = 'test\u200b'";
    expect((await ask(session, missed)).rows).toEqual([[0]]);
  });
});
