/**
 * Reads JSON text for the eye: unlike JSON.parse it keeps repeated keys and every digit of a number, because the
 * inspector must show what was received, not what JavaScript makes of it.
 */
export type JsonNode =
  | {
      readonly kind: "object";
      readonly entries: readonly { readonly key: string; readonly value: JsonNode }[];
    }
  | { readonly kind: "array"; readonly items: readonly JsonNode[] }
  | { readonly kind: "string"; readonly value: string }
  /** A number, true, false or null as it is written; or a value nested too deep, as its text. */
  | { readonly kind: "literal"; readonly text: string };

/** Deeper values are shown as text: nobody opens a hundred levels, and hostile nesting would end the call stack. */
const MAX_DEPTH = 100;

const STRING = /"(?:[^"\\]|\\.)*"/suy;
const LITERAL = /-?\d[\d.eE+-]*|true|false|null/uy;
const SPACE = /[ \t\r\n]*/uy;

class Reader {
  readonly #text: string;
  #at = 0;

  constructor(text: string) {
    this.#text = text;
  }

  readWhole(): JsonNode | null {
    const node = this.#readValue(0);
    this.#skipSpace();
    return node !== null && this.#at === this.#text.length ? node : null;
  }

  #match(pattern: RegExp): string | null {
    const sticky = new RegExp(pattern.source, pattern.flags);
    sticky.lastIndex = this.#at;
    const found = sticky.exec(this.#text)?.[0] ?? null;
    if (found !== null) this.#at += found.length;
    return found;
  }

  #skipSpace(): void {
    this.#match(SPACE);
  }

  #take(char: string): boolean {
    this.#skipSpace();
    if (this.#text[this.#at] !== char) return false;
    this.#at += 1;
    return true;
  }

  #readValue(depth: number): JsonNode | null {
    this.#skipSpace();
    const first = this.#text[this.#at];
    if ((first === "{" || first === "[") && depth >= MAX_DEPTH) return this.#readRest();
    if (first === "{") return this.#readObject(depth);
    if (first === "[") return this.#readArray(depth);
    if (first === '"') return this.#readString();
    const text = this.#match(LITERAL);
    return text === null ? null : { kind: "literal", text };
  }

  /** Too deep: everything up to the matching bracket as text. */
  #readRest(): JsonNode | null {
    const start = this.#at;
    let open = 0;
    while (this.#at < this.#text.length) {
      const char = this.#text[this.#at];
      if (char === '"') {
        if (this.#match(STRING) === null) return null;
        continue;
      }
      this.#at += 1;
      if (char === "{" || char === "[") open += 1;
      if (char === "}" || char === "]") open -= 1;
      if (open === 0) return { kind: "literal", text: this.#text.slice(start, this.#at) };
    }
    return null;
  }

  #readString(): { readonly kind: "string"; readonly value: string } | null {
    const quoted = this.#match(STRING);
    if (quoted === null) return null;
    try {
      return { kind: "string", value: String(JSON.parse(quoted)) };
    } catch {
      // A broken escape: the text as it is written is the honest value.
      return { kind: "string", value: quoted.slice(1, -1) };
    }
  }

  #readObject(depth: number): JsonNode | null {
    this.#at += 1;
    const entries: { key: string; value: JsonNode }[] = [];
    if (this.#take("}")) return { kind: "object", entries };
    do {
      this.#skipSpace();
      const key = this.#readString();
      if (key === null || !this.#take(":")) return null;
      const value = this.#readValue(depth + 1);
      if (value === null) return null;
      entries.push({ key: key.value, value });
    } while (this.#take(","));
    return this.#take("}") ? { kind: "object", entries } : null;
  }

  #readArray(depth: number): JsonNode | null {
    this.#at += 1;
    const items: JsonNode[] = [];
    if (this.#take("]")) return { kind: "array", items };
    do {
      const item = this.#readValue(depth + 1);
      if (item === null) return null;
      items.push(item);
    } while (this.#take(","));
    return this.#take("]") ? { kind: "array", items } : null;
  }
}

/** The tree of `text`, or null where it is no JSON (a dead letter may be anything). Never throws. */
export function parseJsonText(text: string): JsonNode | null {
  return new Reader(text).readWhole();
}

/** The string at `path` (object keys), or null. Of repeated keys the last counts, as in every JSON library. */
export function stringAt(node: JsonNode | null, ...path: readonly string[]): string | null {
  const found = nodeAt(node, path);
  return found?.kind === "string" ? found.value : null;
}

/** The literal (a number, say) at `path` as it is written, or null. */
export function literalAt(node: JsonNode | null, ...path: readonly string[]): string | null {
  const found = nodeAt(node, path);
  return found?.kind === "literal" ? found.text : null;
}

function nodeAt(node: JsonNode | null, path: readonly string[]): JsonNode | null {
  let current = node;
  for (const key of path) {
    if (current?.kind !== "object") return null;
    current = current.entries.findLast((entry) => entry.key === key)?.value ?? null;
  }
  return current;
}
