import { THEME_CHOICES, type ThemeChoice } from "#main/contract/theme.ts";
import { call } from "#renderer/bridge/call.ts";
import type { AppStores } from "#renderer/stores/app-stores.ts";
import { chooseTheme, currentTheme } from "#renderer/themes/follow-theme.ts";
import { THEME_TITLES } from "#renderer/themes/tokens.ts";
import type { WorkbenchCommand } from "./command.ts";

/** Paints a theme and asks main to keep the choice; main also tells Chromium, whose menus and scroll bars follow. */
export function setTheme({ bridge, notifications }: AppStores, theme: ThemeChoice): void {
  chooseTheme(window, theme);
  void call(bridge, "theme.set", { theme }).then((answer) => {
    if (!answer.ok) notifications.tell({ text: answer.error.message, tone: "bad" });
  });
}

/** The theme after this one: every theme once, then from the start. */
function nextTheme(): ThemeChoice {
  const themes = THEME_CHOICES.filter((choice) => choice !== "system");
  return themes[(themes.indexOf(currentTheme(window)) + 1) % themes.length] ?? "dark";
}

/** Commands of the colour themes. */
export const themeCommands: readonly WorkbenchCommand[] = [
  {
    id: "theme.next",
    title: "Theme: next (dark, light, high contrast)",
    keys: ["mod+k mod+t"],
    run: (stores) => setTheme(stores, nextTheme()),
  },
  ...THEME_CHOICES.map((theme): WorkbenchCommand => ({
    id: `theme.${theme}`,
    title: `Theme: ${THEME_TITLES[theme]}`,
    keys: [],
    run: (stores) => setTheme(stores, theme),
  })),
];
