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

/** Name of a theme. */
export type ThemeName = "dark" | "light";

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
} as const satisfies Record<ThemeName, ThemeTokens>;
