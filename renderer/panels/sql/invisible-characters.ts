/** A character that nobody sees: where it stands, and what it is called. */
export type InvisibleCharacter = { readonly at: number; readonly codePoint: string; readonly name: string };

/** What people paste without knowing; anything else in the ranges is told by its number. */
const NAMES: Readonly<Record<number, string>> = {
  0xa0: "no-break space",
  0xad: "soft hyphen",
  0x61c: "Arabic letter mark",
  0x1680: "Ogham space mark",
  0x180e: "Mongolian vowel separator",
  0x200b: "zero width space",
  0x200e: "left-to-right mark",
  0x200f: "right-to-left mark",
  0x2007: "figure space",
  0x2009: "thin space",
  0x2028: "line separator",
  0x2029: "paragraph separator",
  0x202a: "left-to-right embedding",
  0x202b: "right-to-left embedding",
  0x202c: "pop directional formatting",
  0x202d: "left-to-right override",
  0x202e: "right-to-left override",
  0x202f: "narrow no-break space",
  0x205f: "medium mathematical space",
  0x2060: "word joiner",
  0x2066: "left-to-right isolate",
  0x2067: "right-to-left isolate",
  0x2068: "first strong isolate",
  0x2069: "pop directional isolate",
  0x3000: "ideographic space",
  0xfeff: "byte order mark",
};

// Zero-width (non-)joiners are left alone: emoji and Persian text need them.
const INVISIBLE =
  // oxlint-disable-next-line no-control-regex
  /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u00a0\u00ad\u061c\u1680\u180e\u2000-\u200b\u200e\u200f\u2028-\u202f\u205f-\u206f\u3000\ufeff]/u;

/** The characters that the editor paints as marks. */
export const INVISIBLE_CHARACTERS = new RegExp(INVISIBLE.source, "gu");

/** `U+200B zero width space`. */
export function nameOf(code: number): string {
  const number = `U+${code.toString(16).toUpperCase().padStart(4, "0")}`;
  const name = NAMES[code] ?? (code < 0x20 || (code >= 0x7f && code < 0xa0) ? "control character" : "");
  return name === "" ? number : `${number} ${name}`;
}

/** Every such character of a text, at most `limit`. */
export function findInvisible(text: string, limit: number): readonly InvisibleCharacter[] {
  if (!INVISIBLE.test(text)) return [];
  const found: InvisibleCharacter[] = [];
  for (const match of text.matchAll(INVISIBLE_CHARACTERS)) {
    if (found.length >= limit) break;
    const code = match[0].codePointAt(0) ?? 0;
    const [codePoint = "", ...name] = nameOf(code).split(" ");
    found.push({ at: match.index, codePoint, name: name.join(" ") });
  }
  return found;
}
