import { assertSameFile, fileIdentity } from "../../files/file-identity.ts";
import type { Clock } from "../../model/clock.ts";
import { AppError } from "../../model/errors.ts";
import type { LakeSettings } from "../../model/settings.ts";
import { qualifiedName, type TableDef } from "../../model/table.ts";
import { copyCounters, loadCounters, type LakeCounters, type TableCounters } from "./counters.ts";
import { ensureTables } from "./create-tables.ts";
import { HotTable } from "./hot-table.ts";
import type { LakeTable } from "./lake-table.ts";
import { openCatalog, type CatalogDatabase, type OlderCatalogPolicy, type SetAside } from "./open-catalog.ts";
import { toLakeError } from "./sqlite-errors.ts";

type CatalogStatement = { readonly run: (...values: readonly (string | number | null)[]) => unknown };

/** Where a lake lies and how it is kept. */
export type SessionOptions = {
  readonly catalogPath: string;
  readonly lakeData: string;
  readonly tables: readonly TableDef[];
  readonly settings: LakeSettings;
  readonly clock: Clock;
  readonly olderCatalog?: OlderCatalogPolicy | undefined;
};

/**
 * The writer's one connection with everything it remembers: tables, prepared hot-row statements, counters of the newest
 * snapshot. Opened by {@link openCatalogSession}, to be closed. All of the lake's writes go through {@link transaction}.
 */
export class CatalogSession {
  readonly database: CatalogDatabase;
  readonly tables: readonly LakeTable[];
  readonly options: SessionOptions;
  /** Files of a newer catalog that were moved out of this one's way when it was opened. */
  readonly setAside: SetAside | null;
  readonly #hotTables: ReadonlyMap<string, HotTable>;
  readonly #identity: string | null;
  readonly #statements = new Map<string, CatalogStatement>();
  #counters: LakeCounters;

  constructor(
    database: CatalogDatabase,
    tables: readonly LakeTable[],
    options: SessionOptions,
    setAside: SetAside | null,
  ) {
    this.database = database;
    this.setAside = setAside;
    this.tables = tables;
    this.options = options;
    this.#hotTables = new Map(
      tables.map((table) => [qualifiedName(table.def), new HotTable(database, table)]),
    );
    this.#identity = fileIdentity(options.catalogPath);
    this.#counters = loadCounters(database, tables);
  }

  /** Figures of the newest durable snapshot. */
  get counters(): Readonly<LakeCounters> {
    return this.#counters;
  }

  nowUs(): number {
    return Math.round(this.options.clock.nowMs() * 1_000);
  }

  /** A statement that is run at every snapshot, prepared once; `sql` must be one of a fixed few. */
  statement(sql: string): CatalogStatement {
    const known = this.#statements.get(sql);
    if (known !== undefined) return known;
    const statement = this.database.prepare(sql);
    this.#statements.set(sql, statement);
    return statement;
  }

  /** The hot rows of a table. Throws `table-unknown` for one that this session was not opened with. */
  hot(def: Pick<TableDef, "schema" | "name">): HotTable {
    const hot = this.#hotTables.get(qualifiedName(def));
    if (hot !== undefined) return hot;
    throw new AppError("table-unknown", `the lake has no table ${qualifiedName(def)}`);
  }

  /**
   * Runs `body` in one transaction: all of it is durable when this returns, or none of it happened. `body` gets a copy of
   * the counters to change. Errors: `catalog-held`, `disk-full`, `file-replaced`, `store-unreadable`.
   */
  transaction<T>(doing: string, body: (counters: LakeCounters) => T): T {
    assertSameFile(this.options.catalogPath, this.#identity);
    const draft = copyCounters(this.#counters);
    try {
      const result = this.database
        .transaction(() => {
          this.#assertOnlyWriter();
          return body(draft);
        })
        .immediate();
      this.#counters = draft;
      return result;
    } catch (error) {
      throw toLakeError(error, doing);
    }
  }

  /** The counters of one table in a draft. */
  static tableCounters(counters: LakeCounters, table: LakeTable): TableCounters {
    const found = counters.tables.get(table.tableId);
    if (found === undefined) throw new RangeError(`no counters of ${qualifiedName(table.def)}`);
    return found;
  }

  close(): void {
    this.database.close();
  }

  /** Row ids, hashes and file ids are counted here: a snapshot that somebody else made would make them wrong. */
  #assertOnlyWriter(): void {
    const newest = this.database
      .prepare<[], number>("SELECT max(snapshot_id) FROM ducklake_snapshot")
      .pluck()
      .get();
    if (newest === this.#counters.snapshotId) return;
    throw new AppError(
      "store-unreadable",
      "another program has written to the lake's catalog; open it READ_ONLY there",
      {
        details: { expectedSnapshot: this.#counters.snapshotId, foundSnapshot: newest ?? null },
      },
    );
  }
}

/** Opens the catalog and creates what it lacks. Errors as {@link openCatalog}. */
export function openCatalogSession(options: SessionOptions): CatalogSession {
  const nowUs = Math.round(options.clock.nowMs() * 1_000);
  const { database, setAside } = openCatalog({ ...options, nowUs });
  try {
    const tables = database
      .transaction(() => {
        const before = loadCounters(database, []);
        return ensureTables(database, options.tables, Math.max(nowUs, before.commitTimeUs + 1));
      })
      .immediate();
    return new CatalogSession(database, tables, options, setAside);
  } catch (error) {
    database.close();
    throw toLakeError(error, "opening the catalog");
  }
}
