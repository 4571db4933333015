import type { Bridge } from "#main/contract/bridge.ts";
import { call } from "#renderer/bridge/call.ts";
import { formatCount } from "#renderer/components/format.ts";
import { quoteText, readPage } from "#renderer/panels/record-room/read-page.ts";
import { openPanel } from "#renderer/stores/workbench-store.ts";
import type { PaletteItem } from "./palette-items.ts";

/** Pages in one list; who looks for more types more. */
const MAX_PAGES = 20;
/** A shorter word would find half of all pages. */
const MIN_CHARACTERS = 2;

let runs = 0;

function statement(words: readonly string[]): string {
  const like = words.map((word) => `contains(lower(title), lower(${quoteText(word)}))`).join(" AND ");
  return `SELECT wiki, title, sum(edits) AS edits FROM gold.top_pages_5min
WHERE ${like} GROUP BY ALL ORDER BY edits DESC, wiki, title LIMIT ${MAX_PAGES}`;
}

/** Most edited pages whose title has every word; empty where the lake cannot say. Choosing one filters Live edits by it. */
export async function findPages(bridge: Bridge, query: string): Promise<readonly PaletteItem[]> {
  const words = query.split(/\s+/u).filter((word) => word !== "");
  if (words.join("").length < MIN_CHARACTERS) return [];
  runs += 1;
  const answer = await call(bridge, "sql.run", {
    runId: `find-pages-${runs}`,
    text: statement(words),
    asOf: null,
    limit: MAX_PAGES,
  });
  if (!answer.ok) return [];
  return readPage(answer.value.page, (cells): PaletteItem => {
    const title = cells.text("title") ?? "";
    const wiki = cells.text("wiki") ?? "";
    return {
      id: `page-${wiki}-${title}`,
      icon: "file",
      title,
      hint: `page · ${wiki} · ${formatCount(cells.number("edits"))} edits`,
      run: (stores) => {
        stores.liveEdits.showPage(wiki, title);
        openPanel(stores.workbench, "live-edits");
      },
    };
  });
}
