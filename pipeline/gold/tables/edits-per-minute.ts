import type { GoldInput, GoldTable } from "../gold-table.ts";
import { KeyedRows } from "../keyed-rows.ts";
import { editsPerMinuteTable } from "./edits-per-minute-table.ts";

class WikiCounts {
  changes = 0;
  edits = 0;
  bots = 0;
  newPages = 0;
  logs = 0;
  categorizations = 0;
  bytesAdded = 0;
  bytesRemoved = 0;
  readonly users = new Set<string>();

  add(input: GoldInput): void {
    this.changes += 1;
    if (input.bot) this.bots += 1;
    if (input.user !== null) this.users.add(input.user);
    this.#countType(input.type);
    const bytes = input.bytesChanged ?? 0;
    if (bytes > 0) this.bytesAdded += bytes;
    else this.bytesRemoved -= bytes;
  }

  #countType(type: string): void {
    if (type === "edit") this.edits += 1;
    else if (type === "new") this.newPages += 1;
    else if (type === "log") this.logs += 1;
    else if (type === "categorize") this.categorizations += 1;
  }
}

/** Changes per minute and wiki. Types that are none of the four counted ones are in `changes` only. */
export const editsPerMinute: GoldTable = {
  table: editsPerMinuteTable,
  window: "editsPerMinuteMs",
  timeOf: (input) => input.eventTimeUs,
  openWindow: () => {
    const wikis = new KeyedRows<string, WikiCounts>(() => new WikiCounts());
    return {
      fold: (input) => wikis.touch(input.wiki).add(input),
      rows: (which) =>
        wikis.take(which, (wiki, row) => [
          wiki,
          row.changes,
          row.edits,
          row.bots,
          row.newPages,
          row.logs,
          row.categorizations,
          row.users.size,
          row.bytesAdded,
          row.bytesRemoved,
        ]),
    };
  },
};
