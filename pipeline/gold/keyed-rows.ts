import type { GoldRow } from "./gold-table.ts";

type Marked<V> = { readonly row: V; isChanged: boolean };

/** Rows of one window by key, with a mark on those that changed since they were last taken. */
export class KeyedRows<K, V> {
  readonly #rows = new Map<K, Marked<V>>();
  readonly #create: () => V;

  constructor(create: () => V) {
    this.#create = create;
  }

  /** The row of `key`, made where there is none, marked as changed. */
  touch(key: K): V {
    let marked = this.#rows.get(key);
    if (marked === undefined) {
      marked = { row: this.#create(), isChanged: true };
      this.#rows.set(key, marked);
    } else marked.isChanged = true;
    return marked.row;
  }

  /** Takes rows in the order in which their keys first came. */
  take(which: "changed" | "all", toRow: (key: K, row: V) => GoldRow): readonly GoldRow[] {
    const taken: GoldRow[] = [];
    for (const [key, marked] of this.#rows) {
      if (which === "all" || marked.isChanged) taken.push(toRow(key, marked.row));
      marked.isChanged = false;
    }
    return taken;
  }
}
