/**
 * Feed text is hostile: control and bidi marks can reorder or hide what follows. They are shown as symbols instead, and
 * each keeps its code point in a tooltip.
 */

/** A stretch of plain text, or one mark with its short label (`RLO`) and code point (`U+202E`). */
export type TextPart =
  | { readonly kind: "text"; readonly text: string }
  | { readonly kind: "mark"; readonly label: string; readonly codePoint: string };

/** Usual names of the control characters 0 to 31, in order; words, since few fonts have the control pictures. */
const C0_NAMES =
  "NUL SOH STX ETX EOT ENQ ACK BEL BS TAB LF VT FF CR SO SI DLE DC1 DC2 DC3 DC4 NAK SYN ETB CAN EM SUB ESC FS GS RS US".split(
    " ",
  );

/** Marks that have a usual name; the rest is shown by its number. */
const NAMES: Readonly<Record<string, string>> = {
  "\u00ad": "SHY",
  "\u061c": "ALM",
  "\u200b": "ZWSP",
  "\u200e": "LRM",
  "\u200f": "RLM",
  "\u2028": "LSEP",
  "\u2029": "PSEP",
  "\u202a": "LRE",
  "\u202b": "RLE",
  "\u202c": "PDF",
  "\u202d": "LRO",
  "\u202e": "RLO",
  "\u2060": "WJ",
  "\u2066": "LRI",
  "\u2067": "RLI",
  "\u2068": "FSI",
  "\u2069": "PDI",
  "\ufeff": "BOM",
  "\u007f": "DEL",
};

/**
 * ZWJ and ZWNJ (U+200C, U+200D) are left alone, since emoji and Persian text need them; so are tag characters behind a black
 * flag, which make the flags of England, Scotland and Wales. Elsewhere tags carry text that nobody sees.
 */
const MARKS =
  // oxlint-disable-next-line no-control-regex
  /[\u0000-\u001f\u007f-\u009f\u00ad\u061c\u115f\u1160\u180e\u200b\u200e\u200f\u2028-\u202e\u2060-\u206f\u3164\ufeff\uffa0\ufff9-\ufffb]|(?<!\u{1f3f4}[\u{e0020}-\u{e007f}]*)[\u{e0000}-\u{e007f}]/gu;
/** Quick test of nearly every text: none of the characters above, nor what precedes one. */
const PLAIN = /^[ -~\u00a1-\u00ac\u00ae-\u0600\u0620-\u10ff\u1200-\u17ff\u1900-\u1fff]*$/u;

/** Tag characters mirror ASCII, 0xE0000 higher. */
const TAGS_FROM = 0xe_00_00;

function labelOf(mark: string): string {
  const code = mark.codePointAt(0) ?? 0;
  if (code > TAGS_FROM + 0x20 && code < TAGS_FROM + 0x7f)
    return `TAG ${String.fromCodePoint(code - TAGS_FROM)}`;
  return NAMES[mark] ?? C0_NAMES[code] ?? hexOf(code);
}

function hexOf(code: number): string {
  return code.toString(16).toUpperCase().padStart(2, "0");
}

/** Splits `text` into what can be painted as it is and the marks that must be shown. */
export function splitMarks(text: string): readonly TextPart[] {
  if (PLAIN.test(text)) return text === "" ? [] : [{ kind: "text", text }];
  const parts: TextPart[] = [];
  let at = 0;
  for (const match of text.matchAll(MARKS)) {
    if (match.index > at) parts.push({ kind: "text", text: text.slice(at, match.index) });
    const code = match[0].codePointAt(0) ?? 0;
    parts.push({ kind: "mark", label: labelOf(match[0]), codePoint: `U+${hexOf(code).padStart(4, "0")}` });
    at = match.index + match[0].length;
  }
  if (at < text.length) parts.push({ kind: "text", text: text.slice(at) });
  return parts;
}

/** The same as one string, for tooltips: `‹RLO›` stands for U+202E. */
export function showMarks(text: string): string {
  if (PLAIN.test(text)) return text;
  return text.replace(MARKS, (mark) => `‹${labelOf(mark)}›`);
}

/** At most `limit` UTF-16 units of `text`, never half a surrogate pair; says whether something was cut. */
export function cutText(text: string, limit: number): { readonly text: string; readonly cut: boolean } {
  if (text.length <= limit) return { text, cut: false };
  const code = text.charCodeAt(limit - 1);
  const splitsPair = code >= 0xd800 && code <= 0xdbff;
  return { text: text.slice(0, splitsPair ? limit - 1 : limit), cut: true };
}
