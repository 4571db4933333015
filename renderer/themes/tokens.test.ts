import { describe, expect, test } from "vitest";
import { THEME_CHOICES } from "#main/contract/theme.ts";
import { THEMES, type ThemeName, type ThemeTokens } from "./tokens.ts";

type Token = keyof ThemeTokens;

/** Relative luminance, WCAG 2.2 "relative luminance". */
function luminance(color: string): number {
  const channels = [1, 3, 5].map((at) => Number.parseInt(color.slice(at, at + 2), 16) / 255);
  const [red = 0, green = 0, blue = 0] = channels.map((channel) =>
    channel <= 0.04045 ? channel / 12.92 : ((channel + 0.055) / 1.055) ** 2.4,
  );
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

function contrast(one: string, other: string): number {
  const [low = 0, high = 0] = [luminance(one), luminance(other)].toSorted((a, b) => a - b);
  return (high + 0.05) / (low + 0.05);
}

const PLAIN: readonly Token[] = ["surface-0", "surface-1", "surface-2"];
const ALL: readonly Token[] = [...PLAIN, "surface-3", "selection"];

/** Which text stands on which surface; base.css and the panels use no other pair. */
const PAIRS: readonly (readonly [Token, readonly Token[]])[] = [
  ["text-1", ALL],
  ["text-2", ALL],
  ["text-3", PLAIN],
  ["accent", PLAIN],
  ["ok", [...PLAIN, "selection"]],
  ["warn", [...PLAIN, "selection"]],
  ["bad", [...PLAIN, "selection"]],
  ["late", [...PLAIN, "selection"]],
  ["on-accent", ["accent"]],
];

/** Least contrast of text (workbench.md "Colour tokens"). */
const LEAST: Readonly<Record<ThemeName, number>> = {
  dark: 4.5,
  light: 4.5,
  "high-contrast-dark": 7,
  "high-contrast-light": 7,
};

const names = THEME_CHOICES.filter((choice) => choice !== "system");

describe.each(names)("theme %s", (name) => {
  const tokens: ThemeTokens = THEMES[name];

  test.each(PAIRS.flatMap(([text, surfaces]) => surfaces.map((surface) => [text, surface] as const)))(
    `%s is readable on %s: contrast ${LEAST[name]} or more`,
    (text, surface) => {
      expect(contrast(tokens[text], tokens[surface])).toBeGreaterThanOrEqual(LEAST[name]);
    },
  );
});

test.each(["high-contrast-dark", "high-contrast-light"] as const)(
  "%s separates its parts by lines that can be seen: contrast 3 or more",
  (name) => {
    for (const surface of PLAIN)
      expect(contrast(THEMES[name].line, THEMES[name][surface])).toBeGreaterThanOrEqual(3);
  },
);

test("the contrast formula gives 21 for black on white and 1 for a colour on itself", () => {
  expect(contrast("#000000", "#ffffff")).toBeCloseTo(21, 5);
  expect(contrast("#4ea1ff", "#4ea1ff")).toBe(1);
});
