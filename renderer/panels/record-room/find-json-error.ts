/** Where a text stops being JSON: UTF-16 index of the first character that cannot stand there, and what could. */
export type JsonError = { readonly at: number; readonly expected: string };

/** What may come next. After a value it depends on what is open. */
type State = "value" | "first-key" | "key" | "colon" | "first-item" | "after-value";

// Sticky, so each is tried at one place only. The strict forms of RFC 8259: no control characters, known escapes only.
// oxlint-disable-next-line no-control-regex
const STRING = /"(?:[^"\\\u0000-\u001f]|\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4}))*"/y;
// oxlint-disable-next-line no-control-regex
const STRING_START = /"(?:[^"\\\u0000-\u001f]|\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4}))*/y;
const SCALAR = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?|true|false|null/y;
const SPACE = /[ \t\r\n]*/y;

const EXPECTED: Readonly<Record<State, string>> = {
  value: "a value",
  "first-item": "a value or ]",
  "first-key": "a name in quotes or }",
  key: "a name in quotes",
  colon: "a colon",
  "after-value": "a comma or a closing bracket",
};

function lengthAt(pattern: RegExp, text: string, at: number): number {
  pattern.lastIndex = at;
  return pattern.exec(text)?.[0].length ?? -1;
}

/**
 * The first place at which `text` breaks the rules of JSON, or null where it keeps them all. Keeps a list instead of calling
 * itself, since dead letters may nest without end. V8's own message names a place only sometimes.
 */
export function findJsonError(text: string): JsonError | null {
  const open: ("{" | "[")[] = [];
  let state: State = "value";
  let at = 0;
  for (;;) {
    at += Math.max(0, lengthAt(SPACE, text, at));
    if (state === "after-value" && open.length === 0)
      return at === text.length ? null : { at, expected: "the end" };
    const step = take(text, at, state, open);
    if (step === null) return breakAt(text, at, state, open);
    at = step.at;
    state = step.state;
  }
}

type Step = { readonly at: number; readonly state: State };

function take(text: string, at: number, state: State, open: ("{" | "[")[]): Step | null {
  const char = text[at];
  const next = at + 1;
  switch (state) {
    case "colon":
      return char === ":" ? { at: next, state: "value" } : null;
    case "first-key":
    case "key":
      if (char === "}" && state === "first-key") return close(next, open);
      return string(text, at, "colon");
    case "after-value":
      return takeAfterValue(char, next, open);
    case "first-item":
      if (char === "]") return close(next, open);
      return takeValue(text, at, open);
    case "value":
      return takeValue(text, at, open);
  }
}

function close(at: number, open: ("{" | "[")[]): Step {
  open.pop();
  return { at, state: "after-value" };
}

function string(text: string, at: number, state: State): Step | null {
  const length = lengthAt(STRING, text, at);
  return length === -1 ? null : { at: at + length, state };
}

function takeAfterValue(char: string | undefined, next: number, open: ("{" | "[")[]): Step | null {
  const isObject = open.at(-1) === "{";
  if (char === ",") return { at: next, state: isObject ? "key" : "value" };
  return char === (isObject ? "}" : "]") ? close(next, open) : null;
}

function takeValue(text: string, at: number, open: ("{" | "[")[]): Step | null {
  const char = text[at];
  if (char === "{" || char === "[") {
    open.push(char);
    return { at: at + 1, state: char === "{" ? "first-key" : "first-item" };
  }
  if (char === '"') return string(text, at, "after-value");
  const length = lengthAt(SCALAR, text, at);
  return length <= 0 ? null : { at: at + length, state: "after-value" };
}

/** Inside a string the break is where the string goes wrong, not where it begins. */
function breakAt(text: string, at: number, state: State, open: readonly ("{" | "[")[]): JsonError {
  const isString = text[at] === '"' && state !== "colon" && state !== "after-value";
  if (isString) {
    const end = at + lengthAt(STRING_START, text, at);
    return {
      at: end,
      expected: text[end] === "\\" ? "an escape that JSON has" : "the end of this text in quotes",
    };
  }
  const closing = open.at(-1) === "{" ? "}" : "]";
  return { at, expected: state === "after-value" ? `a comma or ${closing}` : EXPECTED[state] };
}
