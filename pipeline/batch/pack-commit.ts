import type { CommitInput } from "#storage/model/lake.ts";
import { qualifiedName, type TableBatch } from "#storage/model/table.ts";
import { LAKE_TABLES } from "./lake-tables.ts";
import { memoryOf, packRows, type PackedRows, unpackRows } from "./pack-rows.ts";

const ROWS = ["appends", "upserts", "amends"] as const;

/** A commit in a form that is cheap to post to another thread: plain data, its rows packed. */
export type PackedCommit = Omit<CommitInput, (typeof ROWS)[number]> &
  Readonly<Record<(typeof ROWS)[number], readonly PackedRows[]>>;

/** Packs a commit. `early`: first rows of its appends, which were taken out of it before it was whole. */
export function packCommit(input: CommitInput, early: readonly PackedRows[] = []): PackedCommit {
  const { appends, upserts, amends } = input;
  return {
    ...input,
    appends: [...early, ...appends.map(packRows)],
    upserts: upserts.map(packRows),
    amends: amends.map(packRows),
  };
}

/** The commit again, equal to the one that was packed. Throws a RangeError for a table that the lake does not have. */
export function unpackCommit(packed: PackedCommit): CommitInput {
  const { appends, upserts, amends } = packed;
  return {
    ...packed,
    appends: unpack(appends),
    upserts: unpack(upserts),
    amends: unpack(amends),
  };
}

/** The memory to hand over with `postMessage(packed, memoryOfCommit(packed))`; afterwards the sender's copy is empty. */
export function memoryOfCommit(packed: PackedCommit): ArrayBuffer[] {
  return ROWS.flatMap((rows) => packed[rows].flatMap(memoryOf));
}

/** One batch a table: pieces of the same table are parts of one. */
function unpack(packed: readonly PackedRows[]): readonly TableBatch[] {
  const pieces = Map.groupBy(packed, ({ schema, name }) => `${schema}.${name}`);
  return [...pieces].map(([name, ofTable]) => {
    const table = LAKE_TABLES.find((each) => qualifiedName(each) === name);
    if (table === undefined) throw new RangeError(`the lake has no table ${name}`);
    return unpackRows(table, ofTable);
  });
}
