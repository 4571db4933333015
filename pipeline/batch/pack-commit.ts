import type { CommitInput } from "#storage/model/lake.ts";
import type { TableBatch } from "#storage/model/table.ts";
import { LAKE_TABLES } from "./lake-tables.ts";
import { memoryOf, packRows, type PackedRows, unpackRows } from "./pack-rows.ts";

const ROWS = ["appends", "upserts", "amends"] as const;

/** A commit in a form that is cheap to post to another thread: plain data, its rows packed. */
export type PackedCommit = Omit<CommitInput, (typeof ROWS)[number]> &
  Readonly<Record<(typeof ROWS)[number], readonly PackedRows[]>>;

/** Packs a commit. */
export function packCommit(input: CommitInput): PackedCommit {
  const { appends, upserts, amends } = input;
  return {
    ...input,
    appends: appends.map(packRows),
    upserts: upserts.map(packRows),
    amends: amends.map(packRows),
  };
}

/** The commit again, equal to the one that was packed. Throws a RangeError for a table that the lake does not have. */
export function unpackCommit(packed: PackedCommit): CommitInput {
  const { appends, upserts, amends } = packed;
  return {
    ...packed,
    appends: appends.map(unpack),
    upserts: upserts.map(unpack),
    amends: amends.map(unpack),
  };
}

/** The memory to hand over with `postMessage(packed, memoryOfCommit(packed))`; afterwards the sender's copy is empty. */
export function memoryOfCommit(packed: PackedCommit): ArrayBuffer[] {
  return ROWS.flatMap((rows) => packed[rows].flatMap(memoryOf));
}

function unpack(packed: PackedRows): TableBatch {
  const table = LAKE_TABLES.find(({ schema, name }) => schema === packed.schema && name === packed.name);
  if (table === undefined) throw new RangeError(`the lake has no table ${packed.schema}.${packed.name}`);
  return unpackRows(table, packed);
}
