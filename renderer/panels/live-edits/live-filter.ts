/** What the rows of Live edits must have. An empty list asks for nothing. */
export type LiveFilter = {
  /** Words that must all occur; a leading `-` excludes a word. */
  readonly text: string;
  readonly wikis: readonly string[];
  readonly types: readonly string[];
  readonly namespaces: readonly number[];
  readonly bots: BotFilter;
};

/** Edits of bots too, only these, or none of them. */
export type BotFilter = "all" | "only" | "without";

/** Which part of the filter has several values to pick from. */
export type PickedPart = "wikis" | "types" | "namespaces";

/** Every row. */
export const NO_FILTER: LiveFilter = { text: "", wikis: [], types: [], namespaces: [], bots: "all" };

/** Values of one part at most; more than anybody picks, and what a remembered filter may grow to. */
const MAX_PICKED = 100;
const MAX_TEXT = 1_000;

/** True where some row may be left out. */
export function isFiltering(filter: LiveFilter): boolean {
  return activeFilters(filter).length > 0;
}

/** The filter without a value, or with it where it was not there. Null: it has no place for one more. */
export function togglePicked(filter: LiveFilter, part: PickedPart, value: string): LiveFilter {
  if (part === "namespaces") {
    const number = Number(value);
    return Number.isInteger(number) ? { ...filter, namespaces: toggle(filter.namespaces, number) } : filter;
  }
  return { ...filter, [part]: toggle(filter[part], value) };
}

function toggle<T>(list: readonly T[], value: T): readonly T[] {
  return list.includes(value) ? list.filter((one) => one !== value) : [...list, value].slice(0, MAX_PICKED);
}

/** The next of all, only, without. */
export function nextBots(bots: BotFilter): BotFilter {
  return ({ all: "only", only: "without", without: "all" } as const)[bots];
}

/** One thing that the filter asks for, with the filter that no longer does. */
export type ActiveFilter = { readonly name: string; readonly value: string; readonly without: LiveFilter };

/** Everything that the filter asks for, in the order of its bar. */
export function activeFilters(filter: LiveFilter): readonly ActiveFilter[] {
  const found: ActiveFilter[] = [];
  const words = filter.text.trim();
  // A lone minus excludes nothing yet.
  if (words !== "" && words !== "-")
    found.push({ name: "text", value: words, without: { ...filter, text: "" } });
  for (const [part, name] of [
    ["wikis", "wiki"],
    ["types", "type"],
    ["namespaces", "namespace"],
  ] as const) {
    for (const value of filter[part])
      found.push({ name, value: String(value), without: togglePicked(filter, part, String(value)) });
  }
  if (filter.bots !== "all") {
    found.push({ name: "bots", value: filter.bots, without: { ...filter, bots: "all" } });
  }
  return found;
}

/** The filter as it was remembered; what has not its shape asks for nothing. */
export function readFilter(value: unknown): LiveFilter {
  if (typeof value !== "object" || value === null) return NO_FILTER;
  const read: Record<string, unknown> = { ...value };
  const { bots, text } = { bots: read["bots"], text: read["text"] };
  return {
    text: typeof text === "string" ? text.slice(0, MAX_TEXT) : "",
    wikis: listOf(read["wikis"], (one) => typeof one === "string"),
    types: listOf(read["types"], (one) => typeof one === "string"),
    namespaces: listOf(read["namespaces"], (one): one is number => Number.isInteger(one)),
    bots: bots === "only" || bots === "without" ? bots : "all",
  };
}

function listOf<T>(value: unknown, isOne: (one: unknown) => one is T): readonly T[] {
  return Array.isArray(value) ? value.filter(isOne).slice(0, MAX_PICKED) : [];
}
