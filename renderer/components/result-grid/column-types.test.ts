import { expect, test } from "vitest";
import { isNumericType, shortTypeName } from "./column-types.ts";

test.each([
  "INTEGER",
  "BIGINT",
  "UBIGINT",
  "HUGEINT",
  "UHUGEINT",
  "BIGNUM",
  "FLOAT",
  "TINYINT",
  "DOUBLE",
  "DECIMAL(38,0)",
])("%s is a number", (type) => expect(isNumericType(type)).toBe(true));

test.each([
  "VARCHAR",
  "TIMESTAMP WITH TIME ZONE",
  "INTEGER[]",
  "INTEGER[3]",
  "MAP(VARCHAR, INTEGER)",
  "JSON",
  "STRUCT(a INTEGER)",
  "INTERVAL",
  "BLOB",
])("%s is none", (type) => expect(isNumericType(type)).toBe(false));

test("a head shows DuckDB's own short names of long types, also inside of others", () => {
  expect(shortTypeName("TIMESTAMP WITH TIME ZONE[]")).toBe("TIMESTAMPTZ[]");
  expect(shortTypeName("TIMESTAMP")).toBe("TIMESTAMP");
});
