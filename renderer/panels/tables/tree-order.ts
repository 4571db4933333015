import type { CommandResults } from "#main/contract/commands.ts";

type Listed = CommandResults["lake.tables"]["tables"][number];

/** Schemas in the order of a record's journey. */
export const TREE_SCHEMAS = ["bronze", "silver", "gold", "main"] as const;

/** Tables in the order of the tree: by schema, then by name. */
export function inTreeOrder(tables: readonly Listed[]): readonly Listed[] {
  const rank = ({ schema }: Listed): number => {
    const at = TREE_SCHEMAS.findIndex((known) => known === schema);
    return at === -1 ? TREE_SCHEMAS.length : at;
  };
  return tables.toSorted((left, right) => rank(left) - rank(right) || left.name.localeCompare(right.name));
}
