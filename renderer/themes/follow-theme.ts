import { THEMES, type ThemeName } from "./tokens.ts";

const LIGHT = "(prefers-color-scheme: light)";

function applyTheme(root: HTMLElement, name: ThemeName): void {
  for (const [token, color] of Object.entries(THEMES[name])) root.style.setProperty(`--${token}`, color);
  root.dataset["theme"] = name;
  root.style.colorScheme = name;
}

/**
 * Paints the theme that the system or the user's choice asks for, now and whenever that changes. Main sets the choice
 * (Electron's `nativeTheme`), which decides what this media query says. Returns the end of it.
 */
export function followTheme(page: Window): () => void {
  const query = page.matchMedia(LIGHT);
  const apply = (): void => applyTheme(page.document.documentElement, query.matches ? "light" : "dark");
  apply();
  query.addEventListener("change", apply);
  return () => query.removeEventListener("change", apply);
}

/** The theme on screen. */
export function currentTheme(page: Window): ThemeName {
  return page.document.documentElement.dataset["theme"] === "light" ? "light" : "dark";
}
