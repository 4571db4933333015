import { expect, test } from "vitest";
import { cutText, showMarks, splitMarks } from "./visible-marks.ts";

test("shows a right-to-left override as a symbol with its code point", () => {
  expect(splitMarks("user\u202Egnp.exe")).toEqual([
    { kind: "text", text: "user" },
    { kind: "mark", label: "RLO", codePoint: "U+202E" },
    { kind: "text", text: "gnp.exe" },
  ]);
});

test("shows control characters by their names and loses no text around them", () => {
  expect(showMarks("a\u0000b\nc\u009bd\u200be")).toBe("a‹NUL›b‹LF›c‹9B›d‹ZWSP›e");
});

test("leaves joiners in emoji and Persian text alone", () => {
  const text = "👩‍🚀 می‌خواهم";
  expect(splitMarks(text)).toEqual([{ kind: "text", text }]);
});

test("cuts long text without splitting a surrogate pair", () => {
  expect(cutText("ab😀", 3)).toEqual({ text: "ab", cut: true });
  expect(cutText("ab😀", 4)).toEqual({ text: "ab😀", cut: false });
  expect(cutText("x".repeat(10_000), 300).text).toHaveLength(300);
});
