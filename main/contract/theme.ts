/** Themes a user may choose; `system` follows light or dark and the contrast that the system asks for. */
export const THEME_CHOICES = [
  "system",
  "dark",
  "light",
  "high-contrast-dark",
  "high-contrast-light",
] as const;

/** The user's choice of a theme. */
export type ThemeChoice = (typeof THEME_CHOICES)[number];
