const REPLACEMENT = String.raw`\ufffd`;
const NUL_SYMBOL = String.raw`\u2400`;

/** An escape that {@link replaceEscapes} may have to look at: NUL, or a surrogate, paired or not. */
const ODD_ESCAPE = /\\u(?:0000|[dD][89a-fA-F])/;

/** True where `text` may hold an escape that must be replaced. Real events write Unicode unescaped: one search spares them the rest. */
export function mayHoldOddEscape(text: string): boolean {
  return text.includes(String.raw`\u`) && ODD_ESCAPE.test(text);
}

function codeUnitAt(text: string, backslash: number): number {
  if (text.charCodeAt(backslash + 1) !== 0x75) return -1; // not \u
  const hex = text.slice(backslash + 2, backslash + 6);
  return /^[0-9a-fA-F]{4}$/.test(hex) ? Number.parseInt(hex, 16) : -1;
}

const isHigh = (unit: number): boolean => unit >= 0xd800 && unit <= 0xdbff;
const isLow = (unit: number): boolean => unit >= 0xdc00 && unit <= 0xdfff;

/**
 * JSON text with escapes replaced in which engines disagree: a lone surrogate becomes U+FFFD, because DuckDB refuses
 * the whole text for it; with `nul`, U+0000 becomes U+2400 (␀), because SQLite's length() stops at a NUL.
 * Returns the same string when nothing had to change. `\\ud800` (an escaped backslash before "ud800") stays.
 */
export function replaceEscapes(text: string, options: { readonly nul: boolean }): string {
  const pieces: string[] = [];
  let copied = 0;
  let at = text.indexOf("\\");
  while (at !== -1) {
    const unit = codeUnitAt(text, at);
    let length = unit === -1 ? 2 : 6;
    let instead = "";
    if (isHigh(unit)) {
      if (text.charCodeAt(at + 6) === 0x5c && isLow(codeUnitAt(text, at + 6))) length = 12;
      else instead = REPLACEMENT;
    } else if (isLow(unit)) instead = REPLACEMENT;
    else if (unit === 0 && options.nul) instead = NUL_SYMBOL;
    if (instead !== "") {
      pieces.push(text.slice(copied, at), instead);
      copied = at + length;
    }
    at = text.indexOf("\\", at + length);
  }
  return pieces.length === 0 ? text : pieces.join("") + text.slice(copied);
}
