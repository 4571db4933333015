import type { JsonNode } from "../json-tree/parse-json-text.ts";

/**
 * Reads nested values as results print them, `{'k': 'it''s', 'l': [1, NULL]}`, into the tree that the inspector shows. Structs
 * and maps have the same form; texts stand in single quotes, everything else is a literal.
 */
const QUOTED = /'(?:[^']|'')*'/uy;
const LITERAL = /(?!')[^,\]}]+/uy;
/** A key of a map may be anything but a nested value. */
const KEY = /[^:,\]}]+(?::[^ ][^:,\]}]*)*/uy;

/** Deeper values are shown as text: nobody opens a hundred levels. */
const MAX_DEPTH = 100;

class Reader {
  readonly #text: string;
  #at = 0;

  constructor(text: string) {
    this.#text = text;
  }

  readWhole(): JsonNode | null {
    const node = this.#readValue(0);
    return node !== null && this.#at === this.#text.length ? node : null;
  }

  #match(pattern: RegExp): string | null {
    pattern.lastIndex = this.#at;
    const found = pattern.exec(this.#text)?.[0] ?? null;
    if (found !== null) this.#at += found.length;
    return found;
  }

  #take(mark: string): boolean {
    if (!this.#text.startsWith(mark, this.#at)) return false;
    this.#at += mark.length;
    return true;
  }

  #readValue(depth: number): JsonNode | null {
    if (depth > MAX_DEPTH) return null;
    if (this.#take("[")) return this.#readList(depth);
    if (this.#take("{")) return this.#readEntries(depth);
    const quoted = this.#match(QUOTED);
    if (quoted !== null) return { kind: "string", value: unquoted(quoted) };
    const text = this.#match(LITERAL);
    return text === null ? null : { kind: "literal", text };
  }

  #readList(depth: number): JsonNode | null {
    const items: JsonNode[] = [];
    if (this.#take("]")) return { kind: "array", items };
    do {
      const item = this.#readValue(depth + 1);
      if (item === null) return null;
      items.push(item);
    } while (this.#take(", "));
    return this.#take("]") ? { kind: "array", items } : null;
  }

  #readEntries(depth: number): JsonNode | null {
    const entries: { key: string; value: JsonNode }[] = [];
    if (this.#take("}")) return { kind: "object", entries };
    do {
      const quoted = this.#match(QUOTED);
      const key = quoted === null ? this.#match(KEY) : unquoted(quoted);
      if (key === null || !this.#take(": ")) return null;
      const value = this.#readValue(depth + 1);
      if (value === null) return null;
      entries.push({ key, value });
    } while (this.#take(", "));
    return this.#take("}") ? { kind: "object", entries } : null;
  }
}

function unquoted(text: string): string {
  return text.slice(1, -1).replaceAll("''", "'");
}

/** The tree of a printed struct, list or map; null where it cannot be told (a blob may print brackets): then its text is shown. */
export function parseNestedText(text: string): JsonNode | null {
  return new Reader(text).readWhole();
}
