/**
 * Where strings, quoted names, comments and statements begin and end in SQL as DuckDB reads it. One scanner for the editor
 * (which statement stands at the cursor) and for the reader (what may run), so that both see the same statements.
 */

/** What a stretch of SQL is. An `open` one is not closed before the end of the text. */
export type SqlSpan = {
  readonly kind: "code" | "string" | "name" | "comment" | "semicolon";
  /** UTF-16 units from the start, `to` exclusive. */
  readonly from: number;
  readonly to: number;
  readonly open: boolean;
};

/** A statement's place: `from`–`to` with its comments and blanks, `codeFrom`–`codeTo` without those at its ends. */
export type StatementSpan = {
  readonly from: number;
  readonly to: number;
  readonly codeFrom: number;
  readonly codeTo: number;
};

// Spaces to DuckDB besides ASCII's (its parser replaces them outside of strings, names and comments), and those of JavaScript.
const SPACE = /[\s\u00a0\u2000-\u200d\u202f\u205f\u2060\u3000\ufeff]/u;
const UNICODE_SPACE = /[\u00a0\u2000-\u200d\u202f\u205f\u2060\u3000\ufeff]/gu;
const WORD = /[\p{L}\p{N}_$]/u;
const DOLLAR_TAG = /\$(?:[\p{L}_][\p{L}\p{N}_]*)?\$/uy;
const LETTER_E = /(?<![\p{L}\p{N}_$])[eE]$/u;

/** True for a character that DuckDB reads as a space outside of strings. */
export function isSqlSpace(character: string): boolean {
  return SPACE.test(character);
}

/** The spans of `text`, without a gap. */
export function scanSql(text: string): readonly SqlSpan[] {
  const spans: SqlSpan[] = [];
  let codeFrom = 0;
  let at = 0;
  while (at < text.length) {
    const found = spanAt(text, at);
    if (found === null) {
      at = endOfWord(text, at);
      continue;
    }
    if (codeFrom < at) spans.push({ kind: "code", from: codeFrom, to: at, open: false });
    spans.push(found);
    at = found.to;
    codeFrom = at;
  }
  if (codeFrom < text.length) spans.push({ kind: "code", from: codeFrom, to: text.length, open: false });
  return spans;
}

/** A word is passed whole: the `$` in `a$b$` begins no string. */
function endOfWord(text: string, at: number): number {
  let end = at + 1;
  if (!WORD.test(text.charAt(at)) || text.charAt(at) === "$") return end;
  while (end < text.length && WORD.test(text.charAt(end))) end += 1;
  return end;
}

function spanAt(text: string, at: number): SqlSpan | null {
  switch (text.charAt(at)) {
    case "'":
      return quoted(text, at, {
        kind: "string",
        escapes: LETTER_E.test(text.slice(Math.max(0, at - 2), at)),
      });
    case '"':
      return quoted(text, at, { kind: "name", escapes: false });
    case ";":
      return { kind: "semicolon", from: at, to: at + 1, open: false };
    case "-":
      return text.charAt(at + 1) === "-" ? lineComment(text, at) : null;
    case "/":
      return text.charAt(at + 1) === "*" ? blockComment(text, at) : null;
    case "$":
      return dollarQuoted(text, at);
    default:
      return null;
  }
}

function quoted(
  text: string,
  from: number,
  { kind, escapes }: { kind: "string" | "name"; escapes: boolean },
): SqlSpan {
  const quote = text.charAt(from);
  let at = from + 1;
  while (at < text.length) {
    const character = text.charAt(at);
    if (escapes && character === "\\") at += 2;
    else if (character !== quote) at += 1;
    else if (text.charAt(at + 1) === quote) at += 2;
    else return { kind, from, to: at + 1, open: false };
  }
  return { kind, from, to: text.length, open: true };
}

function lineComment(text: string, from: number): SqlSpan {
  const end = text.slice(from).search(/[\r\n]/u);
  return { kind: "comment", from, to: end < 0 ? text.length : from + end, open: false };
}

/** Block comments nest. */
function blockComment(text: string, from: number): SqlSpan {
  let depth = 0;
  let at = from;
  while (at < text.length) {
    const two = text.slice(at, at + 2);
    if (two === "/*") depth += 1;
    else if (two === "*/") depth -= 1;
    at += two === "/*" || two === "*/" ? 2 : 1;
    if (depth === 0) return { kind: "comment", from, to: at, open: false };
  }
  return { kind: "comment", from, to: text.length, open: true };
}

function dollarQuoted(text: string, from: number): SqlSpan | null {
  DOLLAR_TAG.lastIndex = from;
  const tag = DOLLAR_TAG.exec(text)?.[0];
  if (tag === undefined) return null;
  const end = text.indexOf(tag, from + tag.length);
  if (end < 0) return { kind: "string", from, to: text.length, open: true };
  return { kind: "string", from, to: end + tag.length, open: false };
}

/** The statements of `text`, semicolons left out; stretches of comments and blanks alone are none. */
export function splitStatements(text: string): readonly StatementSpan[] {
  const statements: StatementSpan[] = [];
  let from = 0;
  let [codeFrom, codeTo] = [-1, -1];
  const end = (to: number): void => {
    if (codeFrom >= 0) statements.push({ from, to, codeFrom, codeTo });
    from = to + 1;
    codeFrom = -1;
  };
  for (const span of scanSql(text)) {
    if (span.kind === "semicolon") end(span.from);
    // A comment that is never closed is left to DuckDB, which says so.
    const isBlank = span.kind === "semicolon" || (span.kind === "comment" && !span.open);
    const part = isBlank ? null : trimmed(text, span);
    if (part === null) continue;
    if (codeFrom < 0) codeFrom = part.from;
    codeTo = part.to;
  }
  end(text.length);
  return statements;
}

function trimmed(text: string, { kind, from, to }: SqlSpan): { from: number; to: number } | null {
  if (kind !== "code") return { from, to };
  let [start, end] = [from, to];
  while (start < end && isSqlSpace(text.charAt(start))) start += 1;
  while (end > start && isSqlSpace(text.charAt(end - 1))) end -= 1;
  return start === end ? null : { from: start, to: end };
}

/**
 * The statement that a run at the cursor means: the one it stands in, or ended just before it on the same line; behind the last
 * one, the last. Null where the text has none.
 */
export function statementAt(text: string, cursor: number): StatementSpan | null {
  const statements = splitStatements(text);
  const at = statements.findIndex(({ to }) => cursor <= to);
  const here = statements[at];
  if (here === undefined) return statements.at(-1) ?? null;
  const before = statements[at - 1];
  const isBehindBefore =
    before !== undefined && cursor < here.codeFrom && !/[\r\n]/u.test(text.slice(before.to, cursor));
  return isBehindBefore ? before : here;
}

/** The text with every exotic space outside of strings, names and comments as a plain one; no place in it moves. */
export function withPlainSpaces(text: string): string {
  if (text.search(UNICODE_SPACE) < 0) return text;
  return scanSql(text)
    .map(({ kind, from, to }) => {
      const part = text.slice(from, to);
      return kind === "code" ? part.replaceAll(UNICODE_SPACE, " ") : part;
    })
    .join("");
}

/** `text` without the blanks, semicolons and comments in front. */
export function skipBlanks(text: string): string {
  const first = splitStatements(text)[0];
  return first === undefined ? text.slice(text.length) : text.slice(first.codeFrom);
}
