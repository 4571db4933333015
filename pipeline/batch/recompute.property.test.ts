import fc from "fast-check";
import { expect, test } from "vitest";
import { type CellValue } from "#storage/model/table.ts";
import { GoldRecompute } from "../gold/recompute-gold.ts";
import { GOLD_TABLES } from "../gold/tables/registry.ts";
import type { TableRows } from "../protocol/table-rows.ts";
import { silverTable } from "../silver/silver-table.ts";
import { histories } from "./history.test-support.ts";
import { readSettings } from "./read-settings.ts";
import { replay, SOURCE } from "./replay.test-support.ts";
import { rowsInOrder } from "./rows-in-order.ts";
import { GOLD_COLUMNS, toGoldInput } from "./silver-for-gold.ts";

const SEED = Number(process.env["HIGHWATER_SEED"] ?? Date.now() % 2 ** 31);

test(`I5: gold equals gold recomputed from silver and control (seed ${SEED})`, async () => {
  await fc.assert(
    fc.asyncProperty(histories, async (history) => {
      const lake = await replay(history, [{ size: 7, restart: false }]);
      const to = lake.sourceState?.checkpoint ?? 0;
      const settings = await readSettings(lake.reader(), SOURCE, to);
      for (const gold of GOLD_TABLES) {
        const rows: CellValue[][] = [];
        const recompute = new GoldRecompute(
          SOURCE,
          gold,
          () => true,
          (made) => rows.push(...toRows(made)),
        );
        const wanted = { source: SOURCE, columns: GOLD_COLUMNS, fromOffset: 1, toOffset: to };
        for await (const silver of rowsInOrder(lake.reader(), silverTable, wanted)) {
          for (const row of silver) {
            recompute.add({ input: toGoldInput(row), lengths: settings.at(row.offset).windows });
          }
        }
        recompute.finish(lake.sourceState?.watermarkUs ?? null);
        expect(rows.map((row) => JSON.stringify(row)).sort()).toEqual(lake.rowsOf(gold.table));
      }
    }),
    { seed: SEED, numRuns: 60 },
  );
});

function toRows(made: TableRows): CellValue[][] {
  const count = made.columns[0]?.length ?? 0;
  return Array.from({ length: count }, (_, row) => made.columns.map((column) => column[row] ?? null));
}
