import type { ColumnDef } from "../../model/table.ts";
import { ByteWriter } from "./byte-writer.ts";
import type { ColumnCells } from "./column-cells.ts";
import { writeLevels } from "./definition-levels.ts";
import { DELTA_RANGE_LIMIT, writeDelta } from "./delta-encoding.ts";
import { ENCODING, type EncodedChunk } from "./encoded-table.ts";

/** Integers and timestamps: deltas, or PLAIN where the range is too wide for exact deltas. One page, with min and max. */
export function encodeNumbers(column: ColumnDef, cells: ColumnCells<Float64Array>): EncodedChunk {
  const { values } = cells;
  let min = Infinity;
  let max = -Infinity;
  for (let index = 0; index < values.length; index += 1) {
    const value = values[index] ?? 0;
    if (value < min) min = value;
    if (value > max) max = value;
  }
  const isPlain = max - min > DELTA_RANGE_LIMIT;
  const out = new ByteWriter(values.length * 2 + 64);
  if (column.nullable) writeLevels(out, cells.present, 0, cells.rowCount);
  if (isPlain) out.bytes(plainInt64(values));
  // A page without a value holds levels only; a delta header there would be read as values by some readers.
  else if (values.length > 0) writeDelta(out, values);
  return {
    columnId: column.id,
    pages: [
      {
        kind: "data",
        encoding: isPlain || values.length === 0 ? ENCODING.plain : ENCODING.deltaBinaryPacked,
        valueCount: cells.rowCount,
        effort: "quick",
        bytes: out.finish(),
      },
    ],
    nullCount: cells.rowCount - values.length,
    min: values.length > 0 ? min : null,
    max: values.length > 0 ? max : null,
  };
}

/** Booleans: PLAIN, one bit each. */
export function encodeBooleans(column: ColumnDef, cells: ColumnCells<Uint8Array>): EncodedChunk {
  const { values } = cells;
  const out = new ByteWriter(values.length / 8 + 64);
  if (column.nullable) writeLevels(out, cells.present, 0, cells.rowCount);
  const bits = new Uint8Array(Math.ceil(values.length / 8));
  for (let index = 0; index < values.length; index += 1) {
    if (values[index] === 1) bits[index >>> 3] = (bits[index >>> 3] ?? 0) | (1 << (index & 7));
  }
  out.bytes(bits);
  return {
    columnId: column.id,
    pages: [
      {
        kind: "data",
        encoding: ENCODING.plain,
        valueCount: cells.rowCount,
        effort: "quick",
        bytes: out.finish(),
      },
    ],
    nullCount: cells.rowCount - values.length,
    min: values.length > 0 ? values.reduce((a, b) => Math.min(a, b)) : null,
    max: values.length > 0 ? values.reduce((a, b) => Math.max(a, b)) : null,
  };
}

function plainInt64(values: Float64Array): Uint8Array {
  const view = new DataView(new ArrayBuffer(values.length * 8));
  values.forEach((value, index) => view.setBigInt64(index * 8, BigInt(value), true));
  return new Uint8Array(view.buffer);
}
