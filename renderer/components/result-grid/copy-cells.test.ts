import { DuckDBInstance } from "@duckdb/node-api";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { copyCell, copyCells, type CopyOptions } from "./copy-cells.ts";

/** The cells of field case C28 as results carry them. */
const CELLS = {
  columns: ["t", "s", "l", "m", "j", "tabs", "f", "n", "e", "sp"].map((name) => ({ name, type: "VARCHAR" })),
  rows: [
    [
      "2026-04-29T12:38:00.5Z",
      "{'k': 1}",
      "[1, 2]",
      "{'a': 1}",
      '{"x":1}',
      'a\tb\nc"d',
      "=1+1",
      null,
      "",
      " lead",
    ],
  ],
} as const;
const PLAIN = { hasNames: false, isForSpreadsheet: false } as const;

/** What DuckDB reads from a copied text. */
async function readBack(text: string, delimiter: string): Promise<readonly unknown[][]> {
  const folder = mkdtempSync(join(tmpdir(), "highwater-copy-"));
  try {
    writeFileSync(join(folder, "x.csv"), text);
    const connection = await (await DuckDBInstance.create()).connect();
    const path = join(folder, "x.csv").replaceAll("'", "''");
    const columns = CELLS.columns.map(({ name }) => `'${name}': 'VARCHAR'`).join(", ");
    const read = await connection.runAndReadAll(
      `SELECT * FROM read_csv('${path}', delim = '${delimiter}', quote = '"', escape = '"', header = false, columns = {${columns}}, new_line = '\\n', allow_quoted_nulls = false)`,
    );
    return read.getRows();
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

describe("C28: copied cells", () => {
  test.each([
    ["tsv", "\t"],
    ["csv", ","],
  ] as const)(
    "%s is one row of ten columns with equal values when DuckDB reads it back",
    async (format, delimiter) => {
      const text = copyCells(CELLS, { ...PLAIN, format });
      expect(text).not.toContain("[object");
      expect(await readBack(text, delimiter)).toEqual(CELLS.rows);
    },
  );

  test("a missing value is nothing and an empty text is two quotes", () => {
    const rows = [["a", null, ""]];
    expect(copyCells({ columns: CELLS.columns.slice(0, 3), rows }, { ...PLAIN, format: "tsv" })).toBe(
      'a\t\t""',
    );
  });

  test("a formula stays as it is unless it is meant for a spreadsheet; numbers are no formulas", () => {
    const cells = { columns: CELLS.columns.slice(0, 4), rows: [["=1+1", "-5", -5, "+49 30"]] };
    const options: CopyOptions = { ...PLAIN, format: "tsv" };
    expect(copyCells(cells, options)).toBe("=1+1\t-5\t-5\t+49 30");
    expect(copyCells(cells, { ...options, isForSpreadsheet: true })).toBe("'=1+1\t-5\t-5\t'+49 30");
  });

  test("names come only when they are wanted, quoted like cells", () => {
    const cells = { columns: [{ name: "a,b", type: "INTEGER" }], rows: [[1], [2]] };
    expect(copyCells(cells, { ...PLAIN, format: "csv" })).toBe("1\n2");
    expect(copyCells(cells, { ...PLAIN, format: "csv", hasNames: true })).toBe('"a,b"\n1\n2');
  });

  test("JSON is an array of objects; long integers keep their digits as text, equal names are told apart", () => {
    const columns = ["n", "n", "t"].map((name) => ({ name, type: "HUGEINT" }));
    const text = copyCells({ columns, rows: [[1, "9007199254740993", null]] }, { ...PLAIN, format: "json" });
    expect(JSON.parse(text)).toEqual([{ n: 1, n_1: "9007199254740993", t: null }]);
    expect(copyCells({ columns, rows: [] }, { ...PLAIN, format: "json" })).toBe("[]");
  });

  test("one cell alone is its own text", () => {
    expect(copyCell('a\tb\nc"d')).toBe('a\tb\nc"d');
    expect(copyCell(null)).toBe("");
  });
});
