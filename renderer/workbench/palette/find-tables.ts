import type { Bridge } from "#main/contract/bridge.ts";
import { call } from "#renderer/bridge/call.ts";
import { formatCount } from "#renderer/components/format.ts";
import { tableName } from "#renderer/panels/tables/tables-room.ts";
import { openPanel } from "#renderer/stores/workbench-store.ts";
import { hasWords, type PaletteItem } from "./palette-items.ts";

/** Tables of the newest snapshot that match; empty where the lake cannot say. Choosing one opens it in Tables. */
export async function findTables(bridge: Bridge, query: string): Promise<readonly PaletteItem[]> {
  const answer = await call(bridge, "lake.tables", { asOf: null });
  if (!answer.ok) return [];
  return answer.value.tables
    .map((table) => ({ name: tableName(table), rows: table.rows }))
    .filter(({ name }) => hasWords(name, query))
    .map(({ name, rows }) => ({
      id: `table-${name}`,
      icon: "table",
      title: name,
      hint: `table · ${formatCount(rows)} rows`,
      run: (stores) => {
        stores.tablesRoom.choose(name);
        openPanel(stores.workbench, "tables");
      },
    }));
}
