import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { qualifiedName, type CellValue } from "#storage/model/table.ts";
import type { FakeLake } from "../../batch/fake-lake.test-support.ts";
import { FakeLog } from "../../batch/fake-log.test-support.ts";
import { histories } from "../../batch/history.test-support.ts";
import { replay, SOURCE } from "../../batch/replay.test-support.ts";
import { bronzeTable } from "../../bronze/bronze-table.ts";
import { deadLettersTable, discardsTable, lateArrivalsTable } from "../../dead-letter/record-tables.ts";
import { editsPerMinuteTable } from "../../gold/tables/edits-per-minute-table.ts";
import { silverTable } from "../../silver/silver-table.ts";
import { verdictOf } from "./check.ts";
import { verifyLake } from "./verify-lake.ts";

const SEED = Number(process.env["HIGHWATER_SEED"] ?? Date.now() % 2 ** 31);

async function brokenIn(lake: FakeLake): Promise<readonly string[]> {
  const checks = await verifyLake({ reader: lake.reader(), source: SOURCE });
  return checks.filter(({ verdict }) => verdict === "broken").map(({ id }) => id);
}

test(`I1, I5, I7: every history verifies, against its log too (seed ${SEED})`, async () => {
  await fc.assert(
    fc.asyncProperty(histories, async (history) => {
      const lake = await replay(history, [{ size: 9, restart: false }]);
      const checks = await verifyLake({
        reader: lake.reader(),
        source: SOURCE,
        logReader: new FakeLog(SOURCE, history),
      });
      expect(checks.filter(({ verdict }) => verdict === "broken")).toEqual([]);
      expect(checks.find(({ id }) => id === "log")?.verdict).toBe("ok");
    }),
    { seed: SEED, numRuns: 60 },
  );
});

test("nothing committed is never a pass", async () => {
  const lake = await replay([]);
  expect(verdictOf(await verifyLake({ reader: lake.reader(), source: SOURCE }))).toBe("cannot-tell");
});

describe("a lake that was tampered with is broken", () => {
  /** A history with every kind of row, found by a fixed seed. */
  async function richLake(): Promise<FakeLake> {
    for (const history of fc.sample(histories, { seed: 7, numRuns: 200 })) {
      const lake = await replay(history);
      const tables = [bronzeTable, lateArrivalsTable, deadLettersTable, discardsTable, editsPerMinuteTable];
      if (tables.every((table) => lake.rowsOf(table).length > 3)) return lake;
    }
    throw new Error("no sampled history has every kind of row");
  }

  const tamperings: [string, (lake: FakeLake) => void, string[]][] = [
    ["a bronze row is gone", (lake) => drop(lake, bronzeTable), ["I1", "silver", "I7"]],
    ["a silver row is gone", (lake) => drop(lake, silverTable), ["silver", "I7", "I5 edits_per_minute"]],
    ["a dead letter is gone", (lake) => drop(lake, deadLettersTable), ["I1", "I7"]],
    ["a discard is gone", (lake) => drop(lake, discardsTable), ["I1", "I7"]],
    ["a late arrival is gone", (lake) => drop(lake, lateArrivalsTable), ["late", "I7"]],
    ["a gold row is gone", (lake) => drop(lake, editsPerMinuteTable), ["I5 edits_per_minute"]],
    ["a gold count is wrong", (lake) => edit(lake, editsPerMinuteTable, 5, 99), ["I5 edits_per_minute"]],
    ["a bronze payload is another", (lake) => edit(lake, bronzeTable, 12, "{}"), ["I7"]],
    ["a dead letter's bytes are others", (lake) => edit(lake, deadLettersTable, 13, "x"), ["bytes"]],
    ["a row lies about being late", (lake) => edit(lake, silverTable, 7, "flip"), ["watermark"]],
    ["an id is another's", (lake) => edit(lake, silverTable, 3, "another"), ["silver"]],
  ];

  test.each(tamperings)("%s", async (_title, tamper, expected) => {
    const lake = await richLake();
    expect(await brokenIn(lake)).toEqual([]);
    tamper(lake);
    expect(await brokenIn(lake)).toEqual(expect.arrayContaining(expected));
  });

  test("and counts what is lost and what is doubled", async () => {
    const lake = await richLake();
    const countAll = async (): Promise<{ lost: number; doubled: number }> => {
      const checks = await verifyLake({ reader: lake.reader(), source: SOURCE });
      const sum = (counts: readonly number[]): number => counts.reduce((all, count) => all + count, 0);
      return {
        lost: sum(checks.map(({ lost }) => lost)),
        doubled: sum(checks.map(({ doubled }) => doubled)),
      };
    };
    expect(await countAll()).toEqual({ lost: 0, doubled: 0 });
    // A discard takes the place of a bronze row: its own offset is in no table, the other one in two.
    edit(lake, discardsTable, 1, lake.records(bronzeTable)[0]?.["log_offset"] ?? null);
    const { lost, doubled } = await countAll();
    expect(lost).toBeGreaterThanOrEqual(1);
    expect(doubled).toBeGreaterThanOrEqual(1);
  });

  test("a table whose stored content hash is another", async () => {
    const lake = await richLake();
    const reader = { ...lake.reader(), contentHash: () => 1n };
    const checks = await verifyLake({ reader, source: SOURCE });
    expect(checks.find(({ id }) => id === "I3")?.verdict).toBe("broken");
  });
});

type Table = Parameters<FakeLake["rowsOf"]>[0];

function drop(lake: FakeLake, table: Table): void {
  const rows = lake.tables.get(qualifiedName(table));
  const [key] = rows?.keys() ?? [];
  rows?.delete(key ?? "");
}

function edit(lake: FakeLake, table: Table, column: number, value: CellValue): void {
  const rows = lake.tables.get(qualifiedName(table));
  const [first] = rows?.entries() ?? [];
  if (first === undefined) throw new Error(`${qualifiedName(table)} is empty`);
  const [key, row] = first;
  const changed = value === "flip" ? row[column] !== true : value;
  rows?.set(key, row.with(column, changed));
}
