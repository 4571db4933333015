import type { AppStores } from "#renderer/stores/app-stores.ts";
import type { WorkbenchCommand } from "./command.ts";
import { COMMANDS } from "./commands.ts";

/** What of a key event decides. */
export type Stroke = Pick<KeyboardEvent, "key" | "ctrlKey" | "metaKey" | "shiftKey" | "altKey">;

/** The stroke as it is written in a command's keys: `mod+shift+p`, `space`, `/`. */
export function nameStroke(stroke: Stroke, isMac: boolean): string {
  const key = stroke.key === " " ? "space" : stroke.key.toLowerCase();
  const isMod = isMac ? stroke.metaKey : stroke.ctrlKey;
  // Shift is part of a printed character ("/" is shift+7 on some keyboards), so it counts only with a modifier.
  const hasShift = stroke.shiftKey && (isMod || key.length > 1);
  return [isMod ? "mod" : "", stroke.altKey ? "alt" : "", hasShift ? "shift" : "", key]
    .filter((part) => part !== "")
    .join("+");
}

/** Outcome of a stroke: a command, the first half of one, or nothing of ours. */
export type KeyOutcome =
  | { readonly kind: "run"; readonly command: WorkbenchCommand }
  | { readonly kind: "prefix"; readonly prefix: string }
  | { readonly kind: "none" };

/** Looks a stroke up, after `prefix` where a first stroke is pending: in the open panel's commands and the window's. */
export function lookUpStroke(prefix: string | null, stroke: string, activePanel: string): KeyOutcome {
  const full = prefix === null ? stroke : `${prefix} ${stroke}`;
  const heard = COMMANDS.filter(({ panel }) => panel === undefined || panel === activePanel);
  const command = heard.find((candidate) => candidate.keys.includes(full));
  if (command !== undefined) return { kind: "run", command };
  const isPrefix = heard.some((candidate) => candidate.keys.some((keys) => keys.startsWith(`${full} `)));
  return isPrefix ? { kind: "prefix", prefix: full } : { kind: "none" };
}

const TEXT_FIELDS = "input, textarea, select, [contenteditable], [data-text-field]";
/** Keys that a focused control needs for itself. */
const CONTROL_KEYS = new Set(["space", "enter"]);

function belongsToFocus(target: EventTarget | null, stroke: string): boolean {
  if (!(target instanceof Element) || stroke.startsWith("mod+")) return false;
  if (target.closest(TEXT_FIELDS) !== null) return stroke !== "f1" && stroke !== "escape";
  return CONTROL_KEYS.has(stroke) && target.closest("button, summary, a") !== null;
}

/** Listens to the keyboard for the whole window; returns the end of it. */
export function listenToKeyboard(stores: AppStores, page: Window): () => void {
  const isMac = page.navigator.userAgent.includes("Mac OS");
  let prefix: string | null = null;
  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.isComposing || ["Control", "Shift", "Alt", "Meta"].includes(event.key)) return;
    const stroke = nameStroke(event, isMac);
    const { palette, activePanel } = stores.workbench.getState();
    // The palette is on top: it hears its own keys, only its own toggle still works here.
    if (belongsToFocus(event.target, stroke) || (palette !== null && !/^(mod\+|f1)/u.test(stroke))) return;
    if (stroke === "escape" && stores.workbench.getState().areNotificationsShown) {
      stores.workbench.setState({ areNotificationsShown: false });
      return;
    }
    const outcome = lookUpStroke(prefix, stroke, activePanel);
    prefix = outcome.kind === "prefix" ? outcome.prefix : null;
    if (outcome.kind === "none") return;
    event.preventDefault();
    if (outcome.kind === "run") outcome.command.run(stores);
  };
  page.addEventListener("keydown", onKeyDown);
  return () => page.removeEventListener("keydown", onKeyDown);
}

const KEY_NAMES: Readonly<Record<string, string>> = {
  mod: "Ctrl",
  shift: "Shift",
  alt: "Alt",
  space: "Space",
  enter: "Enter",
  escape: "Esc",
  arrowdown: "↓",
  arrowup: "↑",
};

/** Keys for a person: `Ctrl+Shift+P`, `Ctrl+K Ctrl+T`; empty where a command has none. */
export function showKeys(command: WorkbenchCommand): string {
  const [first = ""] = command.keys;
  return first
    .split(" ")
    .map((stroke) =>
      stroke
        .split("+")
        .map((key) => KEY_NAMES[key] ?? key.toUpperCase())
        .join("+"),
    )
    .join(" ");
}
