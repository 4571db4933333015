import type { ThemeChoice } from "#main/contract/theme.ts";
import { THEMES, type ThemeName } from "./tokens.ts";

const LIGHT = "(prefers-color-scheme: light)";
/** `prefers-contrast` on macOS and Linux, forced colours on Windows. */
const MORE_CONTRAST = "(prefers-contrast: more), (forced-colors: active)";

function applyTheme(page: Window, name: ThemeName): void {
  const root = page.document.documentElement;
  if (root.dataset["theme"] === name) return;
  for (const [token, color] of Object.entries(THEMES[name])) root.style.setProperty(`--${token}`, color);
  root.dataset["theme"] = name;
  root.style.colorScheme = name.endsWith("light") ? "light" : "dark";
  // What paints outside of CSS (charts on a canvas) takes the new colours now.
  page.dispatchEvent(new CustomEvent(THEME_CHANGED));
}

/** Event of the window after another theme was painted. */
export const THEME_CHANGED = "highwater:theme";

function themeFor(page: Window, choice: ThemeChoice): ThemeName {
  if (choice !== "system") return choice;
  const isLight = page.matchMedia(LIGHT).matches;
  if (page.matchMedia(MORE_CONTRAST).matches) return isLight ? "high-contrast-light" : "high-contrast-dark";
  return isLight ? "light" : "dark";
}

/** Paints a theme, or from now on the one that the system asks for. */
export function chooseTheme(page: Window, choice: ThemeChoice): void {
  page.document.documentElement.dataset["themeChoice"] = choice;
  applyTheme(page, themeFor(page, choice));
}

/** Paints the choice (main keeps it) and, where that is the system's, follows the system. Returns the end of it. */
export function followTheme(page: Window, choice: ThemeChoice): () => void {
  chooseTheme(page, choice);
  const queries = [page.matchMedia(LIGHT), page.matchMedia(MORE_CONTRAST)];
  const apply = (): void => {
    if (page.document.documentElement.dataset["themeChoice"] === "system") chooseTheme(page, "system");
  };
  for (const query of queries) query.addEventListener("change", apply);
  return () => {
    for (const query of queries) query.removeEventListener("change", apply);
  };
}

/** The theme on screen. */
export function currentTheme(page: Window): ThemeName {
  const name = page.document.documentElement.dataset["theme"];
  return name !== undefined && name in THEMES ? (name as ThemeName) : "dark";
}
