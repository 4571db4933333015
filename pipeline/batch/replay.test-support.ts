import { offsetAfter, NO_OFFSET, toSourceName } from "#storage/model/brand.ts";
import type { AppendRecord } from "#storage/model/record.ts";
import { qualifiedName } from "#storage/model/table.ts";
import { totalsByHop } from "../ledger/account.ts";
import { FakeLake } from "./fake-lake.test-support.ts";
import { FakeLog } from "./fake-log.test-support.ts";
import { LAKE_TABLES } from "./lake-tables.ts";
import { loadState } from "./load-state.ts";
import { cutAtAmendRuns } from "./plan-batch.ts";
import { runBatch } from "./run-batch.ts";

export const SOURCE = toSourceName("test");

/** Runs a log into a lake; `cuts` gives the size of each batch in turn and whether the state is read back before it. */
export async function replay(
  entries: (AppendRecord | null)[],
  cuts: readonly { readonly size: number; readonly restart: boolean }[] = [{ size: 10_000, restart: false }],
): Promise<FakeLake> {
  const log = new FakeLog(SOURCE, entries);
  const lake = new FakeLake();
  let state = await loadState(lake.reader(), SOURCE);
  for (let index = 0; state.checkpoint < log.head(); index += 1) {
    const cut = cuts[index % cuts.length] ?? { size: 1, restart: true };
    if (cut.restart) state = await loadState(lake.reader(), SOURCE);
    const read = cutAtAmendRuns(log.read(offsetAfter(state.checkpoint), cut.size));
    lake.commit(await runBatch(state, read, lake.reader(), index % 2 === 0 ? "live" : "catching-up"));
  }
  return lake;
}

/** Everything that must not depend on batches and restarts. */
export function contentOf(lake: FakeLake): unknown {
  return {
    tables: Object.fromEntries(LAKE_TABLES.map((table) => [qualifiedName(table), lake.rowsOf(table)])),
    ledger: totalsByHop(lake.ledgerEntries),
    gaps: [...lake.gaps.values()].map((gap) => JSON.stringify(gap)).sort(),
    state: lake.sourceState ?? NO_OFFSET,
  };
}
