import { execFileSync } from "node:child_process";
import { existsSync } from "node:fs";
import { join } from "node:path";

const python = join(import.meta.dirname, "../../../.extensions/venv/bin/python");

/** False where `node build/prepare-test-tools.ts` has not made the Python environment; CI always has it. */
export const hasPyarrow = existsSync(python) || process.env["CI"] !== undefined;

const SCRIPT = `
import sys, json, base64
import pyarrow as pa, pyarrow.parquet as pq
out = []
for path in sys.argv[1:]:
    f = pq.ParquetFile(path, page_checksum_verification=True)
    t = f.read()
    columns = []
    for field in t.schema:
        column = t.column(field.name)
        if pa.types.is_timestamp(field.type): column = column.cast(pa.int64())
        if isinstance(field.type, pa.BaseExtensionType): column = column.cast(pa.string())
        values = column.to_pylist()
        if pa.types.is_binary(field.type): values = [None if v is None else {"hex": v.hex()} for v in values]
        columns.append(values)
    out.append({
        "rows": t.num_rows,
        "rowGroups": f.num_row_groups,
        "fields": [{"name": x.name, "type": str(x.type), "nullable": x.nullable, "id": int((x.metadata or {}).get(b"PARQUET:field_id", -1))} for x in t.schema],
        "metadata": {k.decode(): v.decode() for k, v in (f.metadata.metadata or {}).items() if k != b"ARROW:schema"},
        "columns": columns,
    })
print(json.dumps(out))
`;

/** What pyarrow, an independent reader, sees in a file: blobs as `{ hex }`, timestamps as microseconds. */
export type PyarrowFile = {
  readonly rows: number;
  readonly rowGroups: number;
  readonly fields: readonly { name: string; type: string; nullable: boolean; id: number }[];
  readonly metadata: Readonly<Record<string, string>>;
  readonly columns: readonly (readonly unknown[])[];
};

/** Reads files with pyarrow, page checksums verified. One start of Python for all of them. */
export function readWithPyarrow(paths: readonly string[]): readonly PyarrowFile[] {
  const output = execFileSync(python, ["-c", SCRIPT, ...paths], { encoding: "utf8", maxBuffer: 256_000_000 });
  return JSON.parse(output) as readonly PyarrowFile[];
}
