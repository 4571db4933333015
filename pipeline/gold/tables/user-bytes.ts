import type { GoldTable } from "../gold-table.ts";
import { KeyedRows } from "../keyed-rows.ts";
import { userBytesTable } from "./user-bytes-table.ts";

type UserEdits = { edits: number; bytes: number; readonly titles: (string | null)[] };

/** Per user and short window: edits, sum of bytes changed, titles in offset order (edits and new pages of named users). */
export const userBytes: GoldTable = {
  table: userBytesTable,
  window: "userBytesMs",
  timeOf: (input) =>
    input.user !== null && (input.type === "edit" || input.type === "new") ? input.eventTimeUs : null,
  openWindow: () => {
    const users = new KeyedRows<string, UserEdits>(() => ({ edits: 0, bytes: 0, titles: [] }));
    return {
      fold: (input) => {
        if (input.user === null) return;
        const row = users.touch(input.user);
        row.edits += 1;
        row.bytes += input.bytesChanged ?? 0;
        row.titles.push(input.title);
      },
      rows: (which) =>
        users.take(which, (user, row) => [user, row.edits, row.bytes, JSON.stringify(row.titles)]),
    };
  },
};
