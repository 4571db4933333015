import type { ThemeChoice } from "#main/contract/theme.ts";

/** Colour tokens (workbench.md). Each name becomes the CSS variable `--name`; a test holds text at a contrast of 4.5. */
export type ThemeTokens = {
  readonly "surface-0": string;
  readonly "surface-1": string;
  readonly "surface-2": string;
  readonly "surface-3": string;
  readonly line: string;
  readonly "text-1": string;
  readonly "text-2": string;
  readonly "text-3": string;
  readonly accent: string;
  readonly "on-accent": string;
  readonly selection: string;
  readonly ok: string;
  readonly warn: string;
  readonly bad: string;
  readonly late: string;
};

/** Name of a theme: what a user may choose, but `system`, which picks one of them. */
export type ThemeName = Exclude<ThemeChoice, "system">;

/** Choices of a theme in words. */
export const THEME_TITLES: Readonly<Record<ThemeChoice, string>> = {
  system: "follow the system",
  dark: "dark",
  light: "light",
  "high-contrast-dark": "high contrast, dark",
  "high-contrast-light": "high contrast, light",
};

/** Every theme of the workbench. */
export const THEMES = {
  dark: {
    "surface-0": "#0f1216",
    "surface-1": "#14181e",
    "surface-2": "#1a1f27",
    "surface-3": "#222934",
    line: "#2a313c",
    "text-1": "#d7dce3",
    "text-2": "#98a2b1",
    "text-3": "#7f8a9a",
    accent: "#4ea1ff",
    "on-accent": "#0f1216",
    selection: "#17324f",
    ok: "#3fb68b",
    warn: "#e0a63c",
    bad: "#f27272",
    late: "#b78bff",
  },
  light: {
    "surface-0": "#ffffff",
    "surface-1": "#f6f8fa",
    "surface-2": "#eceff3",
    "surface-3": "#e1e6ec",
    line: "#d5dbe3",
    "text-1": "#1c2128",
    "text-2": "#4d5866",
    "text-3": "#626d7c",
    accent: "#0b63c4",
    "on-accent": "#ffffff",
    selection: "#dbeafb",
    ok: "#10744d",
    warn: "#8a5a00",
    bad: "#b3261e",
    late: "#6b3fc4",
  },
  // Text of 7 or more on black or white; what other themes fill, these two border.
  "high-contrast-dark": {
    "surface-0": "#000000",
    "surface-1": "#000000",
    "surface-2": "#000000",
    "surface-3": "#1a1a1a",
    line: "#8a94a3",
    "text-1": "#ffffff",
    "text-2": "#d9dfe8",
    "text-3": "#c2cad6",
    accent: "#7cc0ff",
    "on-accent": "#000000",
    selection: "#00274d",
    ok: "#5fe0b0",
    warn: "#ffc857",
    bad: "#ff9d9d",
    late: "#d3b8ff",
  },
  "high-contrast-light": {
    "surface-0": "#ffffff",
    "surface-1": "#ffffff",
    "surface-2": "#ffffff",
    "surface-3": "#ededed",
    line: "#3f4956",
    "text-1": "#000000",
    "text-2": "#22282f",
    "text-3": "#343c46",
    accent: "#003f8a",
    "on-accent": "#ffffff",
    selection: "#d3e7ff",
    ok: "#00462c",
    warn: "#553600",
    bad: "#7d0f0a",
    late: "#431c94",
  },
} as const satisfies Record<ThemeName, ThemeTokens>;
