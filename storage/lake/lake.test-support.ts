import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { dataFolderAt, type DataFolder } from "../files/data-folder.ts";
import { toOffset, toSourceName, type SnapshotId, type SourceName } from "../model/brand.ts";
import type { Clock } from "../model/clock.ts";
import type { CommitInput, LakeReader } from "../model/lake.ts";
import { lakeSettingsSchema, type LakeSettings } from "../model/settings.ts";
import { defineColumns, type CellValue, type TableDef } from "../model/table.ts";
import { batchOfRows } from "./catalog/cells.ts";
import { openLakeWriter, type TwoStepLakeWriter } from "./lake-writer.ts";
import { addHash, batchHash } from "./hash/row-hash.ts";

export const RECORDS = {
  schema: "bronze",
  name: "records",
  kind: "append",
  key: ["source", "log_offset"],
  columns: defineColumns({
    source: "varchar",
    log_offset: "int64",
    event_time: "timestamptz",
    bot: "?boolean",
    size: "?int64",
    raw: "json",
    raw_bytes: "?blob",
    title: "?varchar",
  }),
} as const satisfies TableDef;

export const DISCARDS = {
  schema: "main",
  name: "discards",
  kind: "append",
  key: ["source", "log_offset"],
  columns: defineColumns({ source: "varchar", log_offset: "int64", reason: "varchar" }),
} as const satisfies TableDef;

export const COUNTS = {
  schema: "gold",
  name: "counts",
  kind: "window",
  key: ["source", "window_start", "window_length_ms", "wiki"],
  columns: defineColumns({
    source: "varchar",
    window_start: "timestamptz",
    window_length_ms: "int64",
    state: "varchar",
    wiki: "varchar",
    changes: "int64",
  }),
} as const satisfies TableDef;

export const TEST_TABLES: readonly TableDef[] = [RECORDS, DISCARDS, COUNTS];
export const SOURCE = toSourceName("test");

/** A clock that moves only when told; both of its hands. */
export type FakeClock = Clock & { advance: (ms: number) => void; stepWall: (ms: number) => void };

export function fakeClock(startMs = Date.UTC(2026, 10, 30, 12)): FakeClock {
  let [wall, monotonic] = [startMs, 1_000];
  return {
    nowMs: () => wall,
    monotonicMs: () => monotonic,
    advance: (ms) => {
      wall += ms;
      monotonic += ms;
    },
    stepWall: (ms) => {
      wall += ms;
    },
  };
}

/** A lake in a temporary folder with its writer; disposing closes and removes both. */
export type TestLake = AsyncDisposable & {
  readonly folder: DataFolder;
  readonly clock: FakeClock;
  writer: TwoStepLakeWriter;
  readonly feed: TestFeed;
  /** `seenSnapshotId`: what somebody remembers of the catalog. */
  readonly reopen: (root?: string, seenSnapshotId?: number) => Promise<void>;
};

export async function openTestLake(
  options: Partial<LakeSettings> = {},
  clock = fakeClock(),
): Promise<TestLake> {
  const base = mkdtempSync(join(tmpdir(), "highwater-lake-"));
  const root = join(base, "data");
  const settings = lakeSettingsSchema.parse(options);
  const open = (folder: DataFolder, seenSnapshotId: number | null = null) =>
    openLakeWriter({ folder, tables: TEST_TABLES, settings, clock, seenSnapshotId });
  const folder = dataFolderAt(root);
  const lake: TestLake = {
    folder,
    clock,
    writer: await open(folder),
    feed: createTestFeed(clock),
    reopen: async (other = root, seenSnapshotId) => {
      await lake.writer.close();
      lake.writer = await open(dataFolderAt(other), seenSnapshotId ?? null);
    },
    [Symbol.asyncDispose]: async () => {
      await lake.writer.close();
      rmSync(base, { recursive: true, force: true });
    },
  };
  return lake;
}

const WINDOW_MS = 60_000;
const WIKIS = ["dewiki", "enwiki", "wikidatawiki", "ελwiki"];

type Window = { start: number; wiki: string; changes: number };

function recordRow(source: SourceName, at: number, eventTimeUs: number): CellValue[] {
  return [
    source,
    at,
    eventTimeUs + (at % 7 === 0 ? 0 : at % 1_000_000),
    at % 3 === 0 ? null : at % 2 === 0,
    at % 5 === 0 ? null : at * 1_000_003,
    Buffer.from(JSON.stringify({ id: at, title: `Seite „${at}“ 🦊\u0000`, pad: "x".repeat(at % 60) })),
    at % 11 === 0 ? Uint8Array.from([0, 255, at % 256]) : null,
    at % 4 === 0 ? null : `O'Neil "${at}", é\n`,
  ];
}

function windowRow(source: SourceName, window: Window, state: string): CellValue[] {
  return [source, window.start, WINDOW_MS, state, window.wiki, window.changes];
}

function commitInput(
  source: SourceName,
  nowMs: number,
  range: readonly [number, number],
  rows: Pick<CommitInput, "appends" | "upserts" | "mode">,
): CommitInput {
  const [from, to] = [toOffset(range[0]), toOffset(range[1])];
  const count = (index: number): number => rows.appends[index]?.rowCount ?? 0;
  const identityHash = (BigInt(from) ** 9n) & 0xffffffffffffffffn;
  return {
    source,
    fromOffset: from,
    toOffset: to,
    receivedMinMs: nowMs - 50,
    receivedMaxMs: nowMs,
    ...rows,
    amends: [],
    ledger: [
      { source, stream: "s", hop: "bronze", count: count(0), identityHash },
      { source, stream: "s", hop: "filtered", count: count(1), identityHash: BigInt(to) },
    ],
    gaps: [],
    state: {
      source,
      checkpoint: to,
      watermarkUs: nowMs * 1_000,
      maxEventTimeUs: nowMs * 1_000,
      horizonOffset: toOffset(0),
      sourceCursor: `[${to}]`,
      extra: "{}",
    },
  };
}

/** Makes commits of records whose counts per minute and wiki are folded like a gold table. */
export type TestFeed = ReturnType<typeof createTestFeed>;

export function createTestFeed(clock: Clock, source: SourceName = SOURCE) {
  const windows = new Map<string, Window>();
  const settled = new Set<string>();
  let offset = 0;

  const next = (rows: number, mode: CommitInput["mode"] = "live"): CommitInput => {
    const nowUs = clock.nowMs() * 1_000;
    const from = offset + 1;
    const records: CellValue[][] = [];
    const discards: CellValue[][] = [];
    const touched = new Set<string>();
    for (let index = 0; index < rows; index += 1) {
      offset += 1;
      if (offset % 13 === 0) {
        discards.push([source, offset, "filtered"]);
        continue;
      }
      records.push(recordRow(source, offset, nowUs));
      const start = Math.floor(clock.nowMs() / WINDOW_MS) * WINDOW_MS * 1_000;
      const wiki = WIKIS[offset % WIKIS.length] ?? "";
      const key = `${start}/${wiki}`;
      const window = windows.get(key) ?? { start, wiki, changes: 0 };
      window.changes += 1;
      windows.set(key, window);
      touched.add(key);
    }
    const rowsOut: CellValue[][] = [];
    for (const [key, window] of windows) {
      const isOver = window.start / 1_000 + 2 * WINDOW_MS <= clock.nowMs();
      if (isOver || touched.has(key)) rowsOut.push(windowRow(source, window, isOver ? "settled" : "open"));
      if (!isOver) continue;
      windows.delete(key);
      settled.add(key);
    }
    return commitInput(source, clock.nowMs(), [from, offset], {
      appends: [batchOfRows(RECORDS, records), batchOfRows(DISCARDS, discards)],
      upserts: [batchOfRows(COUNTS, rowsOut)],
      mode,
    });
  };

  /** A commit of one control-like record that amends settled windows. */
  const amend = (rows: readonly (readonly CellValue[])[]): CommitInput => {
    offset += 1;
    const records = batchOfRows(RECORDS, [recordRow(source, offset, clock.nowMs() * 1_000)]);
    const input = commitInput(source, clock.nowMs(), [offset, offset], {
      appends: [records],
      upserts: [],
      mode: "live",
    });
    return { ...input, amends: [batchOfRows(COUNTS, rows)] };
  };

  return { next, amend, settledKeys: (): readonly string[] => [...settled], offset: (): number => offset };
}

/** Content hash and row count of a table at a snapshot, from reading every row again. */
export async function recount(
  reader: LakeReader,
  table: TableDef,
  at: SnapshotId,
): Promise<{ hash: bigint; rows: number }> {
  let [hash, rows] = [0n, 0];
  for await (const batch of reader.scan(table, { at })) {
    hash = addHash(hash, batchHash(batch));
    rows += batch.rowCount;
  }
  return { hash, rows };
}

/** Hash and rows of every table at every kept snapshot, by reading all rows; also checks the stored hash and size. */
export async function recountAll(reader: LakeReader): Promise<Map<string, string>> {
  const found = new Map<string, string>();
  for (const { snapshotId } of reader.snapshots(100_000)) {
    for (const table of reader.tables(snapshotId)) {
      const { hash, rows } = await recount(reader, table, snapshotId);
      const stored = reader.contentHash(table, snapshotId);
      const size = reader.size(table, snapshotId);
      if (stored !== hash || size.rows !== rows) {
        throw new Error(
          `${table.name}@${snapshotId}: read ${hash}/${rows}, stored ${stored}/${size.rows} (hot ${size.hotRows})`,
        );
      }
      found.set(`${snapshotId}/${table.name}`, `${hash}/${rows}`);
    }
  }
  return found;
}
