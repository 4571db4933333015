/** Pyarrow's name of each type that DuckDB sees in our files. */
export const PYARROW_TYPES: Readonly<Record<string, string>> = {
  BIGINT: "int64",
  BOOLEAN: "bool",
  VARCHAR: "string",
  JSON: "extension<arrow.json>",
  "TIMESTAMP WITH TIME ZONE": "timestamp[us, tz=UTC]",
  BLOB: "binary",
};
