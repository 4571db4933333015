import type { GoldRow } from "./gold-table.ts";

/** Rows of one window by key, with a mark on those that changed since they were last taken. */
export class KeyedRows<K, V> {
  readonly #rows = new Map<K, V>();
  readonly #changed = new Set<K>();
  readonly #create: (key: K) => V;

  constructor(create: (key: K) => V) {
    this.#create = create;
  }

  /** The row of `key`, made where there is none, marked as changed. */
  touch(key: K): V {
    let row = this.#rows.get(key);
    if (row === undefined) {
      row = this.#create(key);
      this.#rows.set(key, row);
    }
    this.#changed.add(key);
    return row;
  }

  /** Takes rows in the order in which their keys first came. */
  take(which: "changed" | "all", toRow: (key: K, row: V) => GoldRow): readonly GoldRow[] {
    const taken: GoldRow[] = [];
    for (const [key, row] of this.#rows) {
      if (which === "all" || this.#changed.has(key)) taken.push(toRow(key, row));
    }
    this.#changed.clear();
    return taken;
  }
}
