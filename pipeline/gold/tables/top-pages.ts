import type { GoldRow, GoldTable } from "../gold-table.ts";
import { topPagesTable } from "./top-pages-table.ts";

/** Rows of a window: enough for a screen, few enough to rewrite at every commit. */
const TOP = 50;

type Page = { readonly wiki: string; readonly title: string; edits: number };

/** Code-point order, which is also that of UTF-8 bytes (`<` compares UTF-16 units and differs above U+FFFF). */
function compareText(left: string, right: string): number {
  if (left === right) return 0;
  const length = Math.min(left.length, right.length);
  for (let at = 0; at < length; at += 1) {
    const [a, b] = [left.charCodeAt(at), right.charCodeAt(at)];
    if (a !== b)
      return isSurrogate(a) === isSurrogate(b) ? a - b : Number(isSurrogate(a)) - Number(isSurrogate(b));
  }
  return left.length - right.length;
}

const isSurrogate = (unit: number): boolean => unit >= 0xd800 && unit <= 0xdfff;

function isAbove(left: Page, right: Page): boolean {
  if (left.edits !== right.edits) return left.edits > right.edits;
  const byWiki = compareText(left.wiki, right.wiki);
  return (byWiki === 0 ? compareText(left.title, right.title) : byWiki) < 0;
}

/**
 * The most edited pages, exact. Counts only grow, so a page can enter the list only when it is edited itself: each
 * edit moves one page up past its neighbours, and the list never has to be sorted.
 */
class TopPages {
  readonly #pages = new Map<string, Page>();
  readonly #top: Page[] = [];
  readonly #rowAt: (GoldRow | undefined)[] = [];

  add(wiki: string, title: string): void {
    const key = `${wiki}\n${title}`; // a wiki's name holds no line break: the rule required-identity
    let page = this.#pages.get(key);
    if (page === undefined) {
      page = { wiki, title, edits: 0 };
      this.#pages.set(key, page);
    }
    page.edits += 1;
    this.#raise(page);
  }

  #raise(page: Page): void {
    const last = this.#top.at(-1);
    if (this.#top.length === TOP && last !== undefined && last !== page && !isAbove(page, last)) return;
    let at = this.#top.indexOf(page);
    if (at === -1) {
      if (this.#top.length === TOP) this.#top.pop();
      at = this.#top.push(page) - 1;
    }
    for (; at > 0; at -= 1) {
      const above = this.#top[at - 1];
      if (above === undefined || isAbove(above, page)) break;
      this.#top[at] = above;
      this.#top[at - 1] = page;
    }
  }

  rows(which: "changed" | "all"): readonly GoldRow[] {
    const rows: GoldRow[] = [];
    this.#top.forEach((page, index) => {
      const row: GoldRow = [index + 1, page.wiki, page.title, page.edits];
      const before = this.#rowAt[index];
      const isSame = before !== undefined && row.every((value, column) => before[column] === value);
      if (which === "all" || !isSame) rows.push(row);
      this.#rowAt[index] = row;
    });
    return rows;
  }
}

/** The 50 most edited pages of a window; a rank is a row, so changed ranks are replaced and none is ever taken away. */
export const topPages: GoldTable = {
  table: topPagesTable,
  window: "topPagesMs",
  timeOf: (input) =>
    input.title !== null && (input.type === "edit" || input.type === "new") ? input.eventTimeUs : null,
  openWindow: () => {
    const pages = new TopPages();
    return {
      fold: (input) => {
        if (input.title !== null) pages.add(input.wiki, input.title);
      },
      rows: (which) => pages.rows(which),
    };
  },
};
