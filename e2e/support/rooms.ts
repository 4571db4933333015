import type { Page } from "@playwright/test";
import { THEME_CHOICES, type ThemeChoice } from "#main/contract/theme.ts";

/** Themes that are painted; `system` is one of them. */
export const THEMES = THEME_CHOICES.filter((choice) => choice !== "system");

/** Titles of all rooms, in the order of the activity bar. */
export async function roomTitles(window: Page): Promise<readonly string[]> {
  const buttons = window.locator(".activity-bar button[data-room]");
  return buttons.evaluateAll((all) => all.map((button) => button.getAttribute("aria-label") ?? ""));
}

/** Opens a room by its icon in the activity bar. */
export async function openRoom(window: Page, title: string): Promise<void> {
  await window.locator(".activity-bar").getByRole("button", { name: title, exact: true }).click();
}

/** Runs a command of the palette by its words, as a user would. */
export async function runCommand(window: Page, words: string): Promise<void> {
  await window.keyboard.press("F1");
  await window.keyboard.insertText(words);
  await window.keyboard.press("Enter");
}

/** Paints a theme by its command. */
export async function paintTheme(window: Page, theme: Exclude<ThemeChoice, "system">): Promise<void> {
  const words = { dark: "theme: dark", light: "theme: light" };
  const contrast = theme.endsWith("light") ? "theme: contrast, light" : "theme: contrast, dark";
  await runCommand(window, theme === "dark" || theme === "light" ? words[theme] : contrast);
  await window.locator(`html[data-theme="${theme}"]`).waitFor();
}
