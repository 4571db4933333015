import { expect, test } from "vitest";
import { findInvisible, nameOf } from "./invisible-characters.ts";

test("C30: zero-width, no-break space, byte order and direction marks are found where they stand, by their names", () => {
  const text = "\ufeffSELECT\u00a0count(*) FROM t WHERE wiki = 'xxwiki\u200b' OR x = '\u202e'";
  expect(findInvisible(text, 10)).toEqual([
    { at: 0, codePoint: "U+FEFF", name: "byte order mark" },
    { at: 7, codePoint: "U+00A0", name: "no-break space" },
    { at: 44, codePoint: "U+200B", name: "zero width space" },
    { at: 55, codePoint: "U+202E", name: "right-to-left override" },
  ]);
  expect(findInvisible(text, 1)).toHaveLength(1);
});

test("line ends, tabs, plain spaces, emoji with joiners and letters of any script are none", () => {
  expect(findInvisible("SELECT\t'👩‍👩‍👧 می‌خواهم é 日本語'\r\n FROM t", 10)).toEqual([]);
});

test("a character without a usual name is told by its number", () => {
  expect(nameOf(0x2064)).toBe("U+2064");
  expect(nameOf(7)).toBe("U+0007 control character");
});
