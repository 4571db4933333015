import type { KeyboardEvent, ReactElement } from "react";
import { useStore } from "zustand";
import { formatCount } from "#renderer/components/format.ts";
import { Icon } from "#renderer/components/icon.tsx";
import { useAppStores } from "#renderer/stores/app-stores.ts";
import { tableName, type ListedTable } from "./tables-room.ts";
import { TREE_SCHEMAS } from "./tree-order.ts";

const SCHEMA_TITLES: Readonly<Record<string, string>> = { main: "set aside and control" };

/** All tables by schema, with their rows; arrows move, letters jump to the next name that begins so. */
export function TableTree(): ReactElement {
  const { tablesRoom } = useAppStores();
  const tables = useStore(tablesRoom.store, (state) => state.tables);
  const chosen = useStore(tablesRoom.store, (state) => state.chosen);
  const onKeyDown = (event: KeyboardEvent): void => {
    const to = targetOf(event.key, tables, chosen);
    if (to === null) return;
    event.preventDefault();
    event.stopPropagation();
    tablesRoom.choose(tableName(to));
  };
  const open = tables.find((table) => tableName(table) === chosen);
  return (
    <div
      className="table-tree"
      role="listbox"
      aria-label="Tables"
      tabIndex={0}
      aria-activedescendant={open === undefined ? undefined : `table-${tableName(open)}`}
      onKeyDown={onKeyDown}
    >
      {TREE_SCHEMAS.map((schema) => {
        const own = tables.filter((table) => table.schema === schema);
        if (own.length === 0) return null;
        const title = SCHEMA_TITLES[schema] ?? schema;
        return (
          <div key={schema} role="group" aria-label={title}>
            <h2 role="presentation">{title}</h2>
            {own.map((table) => {
              const name = tableName(table);
              return (
                <div
                  key={name}
                  id={`table-${name}`}
                  role="option"
                  aria-selected={name === chosen}
                  className="tree-row"
                  title={name}
                  onClick={() => tablesRoom.choose(name)}
                >
                  <Icon name={table.kind === "append" ? "table" : "graph"} />
                  <span className="name">{table.name}</span>
                  <span className="value">{formatCount(table.rows)}</span>
                </div>
              );
            })}
          </div>
        );
      })}
    </div>
  );
}

const STEPS: Readonly<Record<string, number>> = {
  ArrowDown: 1,
  ArrowUp: -1,
  Home: Number.NEGATIVE_INFINITY,
  End: Number.POSITIVE_INFINITY,
};

function targetOf(key: string, tables: readonly ListedTable[], chosen: string | null): ListedTable | null {
  const at = tables.findIndex((table) => tableName(table) === chosen);
  const step = STEPS[key];
  if (step !== undefined) return tables[Math.min(tables.length - 1, Math.max(0, at + step))] ?? null;
  // J and K are this room's keys.
  if (!/^[a-z]$/u.test(key) || key === "j" || key === "k") return null;
  const behind = [...tables.slice(at + 1), ...tables.slice(0, at + 1)];
  return behind.find(({ name }) => name.startsWith(key)) ?? null;
}
