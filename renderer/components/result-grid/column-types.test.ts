import { expect, test } from "vitest";
import { isNumericType } from "./column-types.ts";

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
