import { failpoint } from "#storage/failpoint/failpoint.ts";
import type { SourceName } from "#storage/model/brand.ts";
import type { LakeReader, SourceState } from "#storage/model/lake.ts";
import { letterKey } from "../dead-letter/letter-key.ts";
import { deadLettersTable } from "../dead-letter/record-tables.ts";
import { silverTable } from "../silver/silver-table.ts";
import { type BatchState, createBatchState, parseExtra } from "./batch-state.ts";
import { optionalNumberCell, rowsInOrder, textCell } from "./rows-in-order.ts";
import { readSettings } from "./read-settings.ts";
import { GOLD_COLUMNS, toGoldInput } from "./silver-for-gold.ts";

/**
 * State of a source at its checkpoint, read back from the lake: ids and dead letters that dedup holds, windows that
 * are open, settings in force. Nothing of it is stored twice.
 */
export async function loadState(reader: LakeReader, source: SourceName): Promise<BatchState> {
  failpoint("state-load");
  const stored = reader.state(source);
  const state = createBatchState(source, stored);
  if (stored === null) return state;
  const extra = parseExtra(stored.extra);
  await readSettings(reader, source, stored.checkpoint, state.settings);
  await restoreDedup(reader, state, stored, extra.firstLetterOffset);
  if (extra.firstGoldOffset !== null) await restoreGold(reader, state, stored, extra.firstGoldOffset);
  return state;
}

/**
 * Holds again what was held, each with the watermark after its offset: that is the watermark which the next silver row
 * found at its own offset, or the one at the checkpoint.
 */
async function restoreDedup(
  reader: LakeReader,
  state: BatchState,
  stored: SourceState,
  firstLetterOffset: number | null,
): Promise<void> {
  const { source, settings, dedup } = state;
  const to = { source, toOffset: stored.checkpoint };
  const letters: { offset: number; key: string }[] = [];
  if (firstLetterOffset !== null) {
    const wanted = { ...to, columns: ["sha256", "record_kind", "trace"], fromOffset: firstLetterOffset };
    for await (const rows of rowsInOrder(reader, deadLettersTable, wanted)) {
      for (const { offset, cells } of rows) {
        const [sha256, kind, trace] = cells.map(textCell);
        letters.push({ offset, key: letterKey(kind ?? "", sha256 ?? "", trace ?? null) });
      }
    }
  }
  let nextLetter = 0;
  const holdLettersBefore = (offset: number, watermarkUs: number | null): void => {
    for (; nextLetter < letters.length; nextLetter += 1) {
      const letter = letters[nextLetter];
      if (letter === undefined || letter.offset >= offset) return;
      dedup.holdLetter(letter.key, letter.offset, watermarkUs, settings.at(letter.offset));
    }
  };
  let held: { readonly id: string; readonly offset: number } | null = null;
  const holdId = (watermarkUs: number | null): void => {
    if (held === null || watermarkUs === null) return;
    if (held.offset >= stored.horizonOffset) {
      dedup.holdId(held.id, held.offset, watermarkUs, settings.at(held.offset));
    } else dedup.seeWatermark(watermarkUs);
  };
  const from = Math.min(stored.horizonOffset, firstLetterOffset ?? stored.horizonOffset);
  const wanted = { ...to, columns: ["id", "watermark"], fromOffset: from };
  for await (const rows of rowsInOrder(reader, silverTable, wanted)) {
    for (const { offset, cells } of rows) {
      const watermarkUs = optionalNumberCell(cells[1]);
      // The id came before the letters between it and this row, and a first id gives earlier letters their promise.
      holdId(watermarkUs);
      holdLettersBefore(offset, watermarkUs);
      held = { id: textCell(cells[0]), offset };
    }
  }
  holdId(stored.watermarkUs);
  holdLettersBefore(stored.checkpoint + 1, stored.watermarkUs);
}

async function restoreGold(
  reader: LakeReader,
  state: BatchState,
  stored: SourceState,
  fromOffset: number,
): Promise<void> {
  const wanted = {
    source: state.source,
    columns: GOLD_COLUMNS,
    fromOffset,
    toOffset: stored.checkpoint,
  };
  for await (const rows of rowsInOrder(reader, silverTable, wanted)) {
    for (const row of rows) {
      state.gold.restore(toGoldInput(row), state.settings.at(row.offset).windows, stored.watermarkUs);
    }
  }
  state.gold.endRestore();
}
