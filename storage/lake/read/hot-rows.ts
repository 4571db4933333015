import type { SnapshotId } from "../../model/brand.ts";
import type { CellValue, ColumnDef } from "../../model/table.ts";
import { decodeCell } from "../catalog/cells.ts";
import type { LakeCatalog, RowStatement } from "./lake-catalog.ts";
import type { HotSource, ReadTable } from "./read-tables.ts";

/** A hot row's place: SQLite's row number is used again after pruning, so the snapshot it began at belongs to its name. */
export type HotPlace = {
  readonly source: HotSource;
  readonly rowNumber: number;
  readonly beginSnapshot: number;
};

/** Which hot rows are wanted; every bound is inclusive. */
export type HotFilter = {
  readonly source?: string;
  readonly fromOffset?: number;
  readonly toOffset?: number;
  readonly eventTimeFrom?: string;
  readonly eventTimeTo?: string;
  /** Only rows that began behind this snapshot. */
  readonly beganAfter?: number;
  /** True where nobody needs the order by key, which costs a look at every row. */
  readonly anyOrder?: boolean;
};

const CONDITIONS: readonly { key: keyof HotFilter; column: string; sql: string }[] = [
  { key: "source", column: "source", sql: `"source" = @source` },
  { key: "fromOffset", column: "log_offset", sql: `"log_offset" >= @fromOffset` },
  { key: "toOffset", column: "log_offset", sql: `"log_offset" <= @toOffset` },
  // The catalog's text of an instant sorts as the instant does: '+' comes before '.'.
  { key: "eventTimeFrom", column: "event_time", sql: `"event_time" >= @eventTimeFrom` },
  { key: "eventTimeTo", column: "event_time", sql: `"event_time" <= @eventTimeTo` },
  { key: "beganAfter", column: "begin_snapshot", sql: "begin_snapshot > @beganAfter" },
];

/**
 * Places of a table's hot rows at a snapshot, ordered by key unless any order will do. The list is what the retention ladder bounds (150 MB of hot
 * rows, so some 100,000 places); the rows themselves are fetched in pages by {@link readHotRows}.
 */
export function listHotRows(
  catalog: LakeCatalog,
  table: ReadTable,
  at: SnapshotId,
  filter: HotFilter = {},
): readonly HotPlace[] {
  const keys = table.def.key.map((name) => `"${name}"`).join(", ");
  const order = filter.anyOrder === true ? "" : ` ORDER BY ${keys}`;
  return catalog.read("listing hot rows", () =>
    table.hotTables.flatMap((source) => {
      const wanted = CONDITIONS.filter(
        ({ key, column }) => filter[key] !== undefined && source.columns.has(column),
      );
      const conditions = wanted.map(({ sql }) => ` AND ${sql}`).join("");
      const parameters = Object.fromEntries(wanted.map(({ key }) => [key, filter[key]]));
      const places = catalog.database
        .prepare<[object], [number, number]>(
          `SELECT rowid, begin_snapshot FROM ${source.name}
           WHERE begin_snapshot <= @at AND (end_snapshot IS NULL OR end_snapshot > @at)${conditions}${order}`,
        )
        .raw()
        .all({ ...parameters, at });
      return places.map(([rowNumber, beginSnapshot]) => ({ source, rowNumber, beginSnapshot }));
    }),
  );
}

/** Places of the rows that ended behind snapshot `after` and at or before `upTo`. */
export function listEndedRows(
  catalog: LakeCatalog,
  table: ReadTable,
  after: number,
  upTo: number,
): readonly HotPlace[] {
  return catalog.read("listing ended rows", () =>
    table.hotTables.flatMap((source) =>
      catalog.database
        .prepare<[number, number], [number, number]>(
          `SELECT rowid, begin_snapshot FROM ${source.name} WHERE end_snapshot > ? AND end_snapshot <= ?`,
        )
        .raw()
        .all(after, upTo)
        .map(([rowNumber, beginSnapshot]) => ({ source, rowNumber, beginSnapshot })),
    ),
  );
}

/** How many hot rows the table has at the snapshot. */
export function countHotRows(catalog: LakeCatalog, table: ReadTable, at: SnapshotId): number {
  return catalog.read("counting hot rows", () =>
    table.hotTables.reduce((sum, source) => {
      const count = catalog.database
        .prepare<[number, number], number>(
          `SELECT count(*) FROM ${source.name} WHERE begin_snapshot <= ? AND (end_snapshot IS NULL OR end_snapshot > ?)`,
        )
        .pluck()
        .get(at, at);
      return sum + (count ?? 0);
    }, 0),
  );
}

/**
 * The cells of some hot rows, column by column, or null when one of them is gone: pruned, because no kept snapshot and no
 * lease saw it any more.
 */
export function readHotRows(
  catalog: LakeCatalog,
  places: readonly HotPlace[],
  columns: readonly ColumnDef[],
): readonly (readonly CellValue[])[] | null {
  const cells = columns.map((): CellValue[] => []);
  const isWhole = catalog.read("reading hot rows", () =>
    places.every((place) => {
      const row = rowStatement(catalog, place.source, columns).get(place.rowNumber);
      if (row === undefined || row[0] !== place.beginSnapshot) return false;
      columns.forEach((column, index) => cells[index]?.push(decodeCell(column.type, row[index + 1] ?? null)));
      return true;
    }),
  );
  return isWhole ? cells : null;
}

function rowStatement(catalog: LakeCatalog, source: HotSource, columns: readonly ColumnDef[]): RowStatement {
  const sql = selectRow(source, columns);
  const known = catalog.statements.get(sql);
  if (known !== undefined) return known;
  const statement = catalog.database.prepare<[number], unknown[]>(sql).raw();
  if (catalog.statements.size >= 64) catalog.statements.clear();
  catalog.statements.set(sql, statement);
  return statement;
}

/** A column that came after the table's hot rows were written reads as null. */
function selectRow(source: HotSource, columns: readonly ColumnDef[]): string {
  const names = columns.map((column) => (source.columns.has(column.name) ? `"${column.name}"` : "NULL"));
  return `SELECT ${["begin_snapshot", ...names].join(", ")} FROM ${source.name} WHERE rowid = ?`;
}
