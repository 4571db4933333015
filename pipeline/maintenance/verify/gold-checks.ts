import { addHash, batchHash } from "#storage/lake/hash/row-hash.ts";
import type { SnapshotId, SourceName } from "#storage/model/brand.ts";
import type { LakeReader } from "#storage/model/lake.ts";
import { type TableDef } from "#storage/model/table.ts";
import type { SettingsHistory } from "../../batch/settings-history.ts";
import { GOLD_COLUMNS, toGoldInput } from "../../batch/silver-for-gold.ts";
import { rowsInOrder } from "../../batch/rows-in-order.ts";
import type { GoldTable } from "../../gold/gold-table.ts";
import { GoldRecompute, type SilverForGold } from "../../gold/recompute-gold.ts";
import { GOLD_TABLES } from "../../gold/tables/registry.ts";
import { fateOf, windowOf } from "../../gold/window-of.ts";
import type { VerifyCheck } from "../../protocol/query-messages.ts";
import { rowCountOf, toTableBatch, type TableRows } from "../../protocol/table-rows.ts";
import { silverTable } from "../../silver/silver-table.ts";
import { Check } from "./check.ts";

/** What gold is recomputed from. */
export type GoldBasis = {
  readonly reader: LakeReader;
  readonly source: SourceName;
  readonly at: SnapshotId;
  readonly settings: SettingsHistory;
  readonly checkpoint: number;
  readonly watermarkUs: number | null;
};

type Content = { rows: number; hash: bigint };

/** I5, one check a table: gold equals gold recomputed from silver and control. */
export async function checkGold(basis: GoldBasis): Promise<readonly VerifyCheck[]> {
  const amended = await findAmended(basis);
  const contents = GOLD_TABLES.map((): Content => ({ rows: 0, hash: 0n }));
  const recomputes = GOLD_TABLES.map((gold, index) => {
    const isAmendedLater = (bounds: { startUs: number; lengthMs: number }): boolean =>
      amended.has(`${gold.table.name}/${bounds.startUs}/${bounds.lengthMs}`);
    return new GoldRecompute(basis.source, gold, isAmendedLater, (rows) => addRows(contents[index], rows));
  });
  for await (const silver of silverInOrder(basis)) {
    for (const recompute of recomputes) recompute.add(silver);
  }
  const checks: VerifyCheck[] = [];
  for (const [index, gold] of GOLD_TABLES.entries()) {
    recomputes[index]?.finish(basis.watermarkUs);
    checks.push(await compare(basis, gold, contents[index] ?? { rows: 0, hash: 0n }));
  }
  return checks;
}

async function compare(basis: GoldBasis, gold: GoldTable, recomputed: Content): Promise<VerifyCheck> {
  const check = new Check(
    `I5 ${gold.table.name}`,
    `gold.${gold.table.name} equals gold recomputed from silver and control`,
  );
  const stored = await contentOf(basis.reader, gold.table, basis.at, basis.source);
  if (stored.rows !== recomputed.rows || stored.hash !== recomputed.hash) {
    check.fault(
      `stored ${stored.rows} rows (${stored.hash}), recomputed ${recomputed.rows} (${recomputed.hash})`,
    );
  }
  return check.done(`${stored.rows} rows`);
}

/** Rows and content hash of a table as it reads. */
export async function contentOf(
  reader: LakeReader,
  table: TableDef,
  at: SnapshotId,
  source?: SourceName,
): Promise<Content> {
  const content: Content = { rows: 0, hash: 0n };
  for await (const batch of reader.scan(table, { at, ...(source === undefined ? {} : { source }) })) {
    content.rows += batch.rowCount;
    content.hash = addHash(content.hash, batchHash(batch));
  }
  return content;
}

function addRows(content: Content | undefined, rows: TableRows): void {
  if (content === undefined) return;
  content.rows += rowCountOf(rows);
  content.hash = addHash(content.hash, batchHash(toTableBatch(rows)));
}

async function* silverInOrder(basis: GoldBasis): AsyncGenerator<SilverForGold> {
  const { reader, source, at, settings, checkpoint } = basis;
  const wanted = { source, columns: GOLD_COLUMNS, fromOffset: 1, toOffset: checkpoint, at };
  for await (const rows of rowsInOrder(reader, silverTable, wanted)) {
    for (const row of rows) yield { input: toGoldInput(row), lengths: settings.at(row.offset).windows };
  }
}

/** Windows that some redrive or repair row amends; they must be held to the end. As many as such rows at most. */
async function findAmended(basis: GoldBasis): Promise<ReadonlySet<string>> {
  const amended = new Set<string>();
  for await (const { input, lengths } of silverInOrder(basis)) {
    if (!input.amends) continue;
    for (const gold of GOLD_TABLES) {
      const bounds = windowOf(gold, input, lengths);
      if (bounds !== null && fateOf(bounds, input) === "amends") {
        amended.add(`${gold.table.name}/${bounds.startUs}/${bounds.lengthMs}`);
      }
    }
  }
  return amended;
}
