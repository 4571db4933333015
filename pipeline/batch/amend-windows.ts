import type { LakeReader } from "#storage/model/lake.ts";
import type { TableBatch } from "#storage/model/table.ts";
import type { GoldInput } from "../gold/gold-table.ts";
import { appendWindowRows } from "../gold/gold-rows.ts";
import type { TouchedWindow } from "../gold/open-windows.ts";
import { recomputeWindow, type SilverForGold } from "../gold/recompute-gold.ts";
import { createTableRows, nonEmptyBatches, type TableRows } from "../protocol/table-rows.ts";
import { silverTable } from "../silver/silver-table.ts";
import type { BatchState } from "./batch-state.ts";
import { numberCell } from "./rows-in-order.ts";
import { GOLD_COLUMNS, toGoldInput } from "./silver-for-gold.ts";

/** Windows this near are read in one scan: opening a scan costs more than the rows between them. */
const SCAN_TOGETHER_US = 3_600_000_000;

/**
 * Rows of settled windows that redrive or repair records of this batch belong to, recomputed from silver (invariant
 * I5): what the lake holds of their event times, and the batch's own rows. Only tables placed by event time have such
 * windows (see lateness-histogram.ts).
 */
export async function amendSettledWindows(
  lake: LakeReader,
  state: BatchState,
  touched: readonly TouchedWindow[],
  amending: readonly GoldInput[],
): Promise<readonly TableBatch[]> {
  const rows = new Map<string, TableRows>();
  for (const group of groupNear(touched)) {
    const silver = await readSilver(lake, state, group);
    for (const input of amending) silver.push({ input, lengths: state.settings.at(input.logOffset).windows });
    silver.sort((left, right) => left.input.logOffset - right.input.logOffset);
    for (const { gold, bounds } of group) {
      const own = rows.get(gold.table.name) ?? createTableRows(gold.table);
      rows.set(gold.table.name, own);
      appendWindowRows(own, state.source, bounds, "amended", recomputeWindow(gold, bounds, silver), "all");
    }
  }
  return nonEmptyBatches([...rows.values()]);
}

const endUsOf = ({ bounds }: TouchedWindow): number => bounds.startUs + bounds.lengthMs * 1_000;

function groupNear(touched: readonly TouchedWindow[]): readonly TouchedWindow[][] {
  const groups: TouchedWindow[][] = [];
  let endUs = Number.NEGATIVE_INFINITY;
  for (const window of [...touched].sort((left, right) => left.bounds.startUs - right.bounds.startUs)) {
    if (window.bounds.startUs > endUs + SCAN_TOGETHER_US) groups.push([]);
    groups.at(-1)?.push(window);
    endUs = Math.max(endUs, endUsOf(window));
  }
  return groups;
}

async function readSilver(
  lake: LakeReader,
  state: BatchState,
  group: readonly TouchedWindow[],
): Promise<SilverForGold[]> {
  const silver: SilverForGold[] = [];
  const scan = lake.scan(silverTable, {
    source: state.source,
    columns: ["log_offset", ...GOLD_COLUMNS],
    eventTimeFromUs: Math.min(...group.map(({ bounds }) => bounds.startUs)),
    eventTimeToUs: Math.max(...group.map(endUsOf)) - 1,
  });
  for await (const batch of scan) {
    const [offsets = [], ...columns] = batch.columns;
    for (let row = 0; row < batch.rowCount; row += 1) {
      const offset = numberCell(offsets[row]);
      const input = toGoldInput({ offset, cells: columns.map((column) => column[row] ?? null) });
      silver.push({ input, lengths: state.settings.at(offset).windows });
    }
  }
  return silver;
}
