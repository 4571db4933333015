import { offsetAfter, NO_OFFSET, toSnapshotId } from "#storage/model/brand.ts";
import { batchHash } from "#storage/lake/hash/row-hash.ts";
import type {
  CommitInput,
  CommitResult,
  LakeReader,
  LakeWriter,
  ScanOptions,
  SourceState,
} from "#storage/model/lake.ts";
import type { Gap, LedgerEntry } from "#storage/model/ledger.ts";
import { type CellValue, qualifiedName, type TableBatch, type TableDef } from "#storage/model/table.ts";
import { LAKE_TABLES } from "./lake-tables.ts";

type Row = readonly CellValue[];

/** The lake's contract in memory: strict about what a commit may do, and forgetful of nothing. */
export class FakeLake {
  readonly tables = new Map<string, Map<string, Row>>(
    LAKE_TABLES.map((table) => [qualifiedName(table), new Map()]),
  );
  readonly gaps = new Map<string, Gap>();
  ledgerEntries: LedgerEntry[] = [];
  sourceState: SourceState | null = null;
  snapshots = 0;

  /** Every row of a table as JSON texts, sorted: equal for equal multisets. */
  rowsOf(table: TableDef): readonly string[] {
    return [...(this.tables.get(qualifiedName(table))?.values() ?? [])]
      .map((row) => JSON.stringify(row.map(readable)))
      .sort();
  }

  /** A row's cells by column name. */
  records(table: TableDef): readonly Readonly<Record<string, CellValue>>[] {
    const rows = [...(this.tables.get(qualifiedName(table))?.values() ?? [])];
    return rows.map((row) =>
      Object.fromEntries(table.columns.map((column, index) => [column.name, row[index] ?? null])),
    );
  }

  commit(input: CommitInput): CommitResult {
    if (input.fromOffset !== offsetAfter(this.sourceState?.checkpoint ?? NO_OFFSET)) {
      throw new Error(`commit from ${input.fromOffset}, checkpoint ${this.sourceState?.checkpoint ?? 0}`);
    }
    for (const batch of input.appends) this.#write(batch, (before) => before === undefined);
    for (const batch of input.upserts)
      this.#write(batch, (before) => before === undefined || before[3] === "open");
    for (const batch of input.amends)
      this.#write(batch, (before) => before === undefined || before[3] !== "open");
    for (const gap of input.gaps)
      this.gaps.set(`${gap.topic}/${gap.partition}/${gap.fromOffset}/${gap.seenAt}`, gap);
    this.ledgerEntries.push(...input.ledger);
    this.sourceState = input.state;
    this.snapshots += 1;
    return { snapshotId: toSnapshotId(this.snapshots), commitTimeUs: this.snapshots };
  }

  #write(batch: TableBatch, isAllowed: (before: Row | undefined) => boolean): void {
    const rows = this.tables.get(qualifiedName(batch.table));
    const key = batch.table.key.map((name) =>
      batch.table.columns.findIndex((column) => column.name === name),
    );
    for (let index = 0; index < batch.rowCount; index += 1) {
      const row = batch.columns.map((column) => column[index] ?? null);
      const rowKey = JSON.stringify(key.map((column) => row[column]));
      if (rows === undefined || !isAllowed(rows.get(rowKey))) {
        throw new Error(`${qualifiedName(batch.table)}: not allowed for ${rowKey}`);
      }
      rows.set(rowKey, row);
    }
  }

  async *scan(table: TableDef, options: ScanOptions = {}): AsyncGenerator<TableBatch> {
    const at = (name: string): number => table.columns.findIndex((column) => column.name === name);
    const offset = at("log_offset");
    const eventTime = at("event_time");
    const isWanted = (row: Row): boolean =>
      isBetween(row[offset], options.fromOffset, options.toOffset) &&
      isBetween(row[eventTime], options.eventTimeFromUs, options.eventTimeToUs);
    const rows = [...(this.tables.get(qualifiedName(table))?.values() ?? [])].filter(isWanted).reverse();
    const columns =
      options.columns?.map((name) => table.columns.filter((column) => column.name === name)).flat() ??
      table.columns;
    const cells = columns.map((column) => rows.map((row) => row[at(column.name)] ?? null));
    yield await Promise.resolve({ table: { ...table, columns }, rowCount: rows.length, columns: cells });
  }

  reader(): LakeReader {
    return {
      latest: () => toSnapshotId(this.snapshots),
      snapshots: () => [],
      tables: () => LAKE_TABLES,
      size: (table) => ({
        rows: this.tables.get(qualifiedName(table))?.size ?? 0,
        hotRows: 0,
        openRows: 0,
        files: 0,
        fileBytes: 0,
      }),
      scan: (table, options) => this.scan(table, options),
      state: () => this.sourceState,
      sources: () => (this.sourceState === null ? [] : [this.sourceState.source]),
      ledger: () => this.ledgerEntries,
      gaps: () => [...this.gaps.values()],
      contentHash: (table) => {
        const rows = [...(this.tables.get(qualifiedName(table))?.values() ?? [])];
        const columns = table.columns.map((_, column) => rows.map((row) => row[column] ?? null));
        return batchHash({ table, rowCount: rows.length, columns });
      },
      close: () => Promise.resolve(),
    };
  }

  writer(): LakeWriter {
    const nothing = { did: "nothing", snapshotId: null, rows: 0, files: 0, bytes: 0 } as const;
    return {
      reader: this.reader(),
      state: () => this.sourceState,
      commit: (input) => Promise.resolve().then(() => this.commit(input)),
      maintain: () => Promise.resolve(nothing),
      seal: () => Promise.resolve(nothing),
      hotRows: () => 0,
      openRows: () => 0,
      wentBack: null,
      sealedOffset: () => NO_OFFSET,
      catalogBytes: () => 0,
      close: () => Promise.resolve(),
    };
  }
}

function isBetween(cell: CellValue | undefined, from: number | undefined, to: number | undefined): boolean {
  if (from === undefined && to === undefined) return true;
  return typeof cell === "number" && cell >= (from ?? -Infinity) && cell <= (to ?? Infinity);
}

function readable(cell: CellValue): unknown {
  return cell instanceof Uint8Array ? Buffer.from(cell).toString("latin1") : cell;
}
