import { join } from "node:path";
import { BrowserWindow, nativeTheme, screen, type Session } from "electron";
import type { EventHub } from "../bridge/event-hub.ts";
import { EVENT_CHANNEL } from "../bridge/channels.ts";
import { APP_ORIGIN } from "./app-files.ts";
import { PagePulse, PULSE_EVERY_MS } from "./page-pulse.ts";
import { placeWindow, type WindowLayout } from "./window-layout.ts";

/** Surface 0 of both themes (renderer/themes/tokens.ts), painted until the page is. */
const BACKGROUND = { dark: "#0f1216", light: "#ffffff" } as const;
const MIN_SIZE = { minWidth: 800, minHeight: 500 };
/** A window that is moved or resized is saved when it has been still for this long. */
const SAVE_AFTER_MS = 500;

/** What a window needs from the app. */
export type WindowParts = {
  readonly session: Session;
  readonly preloadPath: string;
  readonly hub: EventHub;
  readonly layout: WindowLayout;
  readonly saveLayout: (layout: Pick<WindowLayout, "bounds" | "isMaximized">) => void;
  readonly isQuitting: () => boolean;
};

/** Opens the workbench's window: sandboxed, on our own scheme, at its saved place, joined to the hub. */
export function openWindow(parts: WindowParts): BrowserWindow {
  const screens = screen.getAllDisplays().map((display) => display.workArea);
  const window = new BrowserWindow({
    ...placeWindow(parts.layout.bounds, screens),
    ...MIN_SIZE,
    title: "Highwater",
    show: false,
    autoHideMenuBar: true,
    backgroundColor: nativeTheme.shouldUseDarkColors ? BACKGROUND.dark : BACKGROUND.light,
    webPreferences: {
      session: parts.session,
      preload: parts.preloadPath,
      sandbox: true,
      contextIsolation: true,
      nodeIntegration: false,
      webviewTag: false,
      spellcheck: false,
    },
  });
  if (parts.layout.isMaximized) window.maximize();
  window.once("ready-to-show", () => window.show());
  joinHub(window, parts.hub);
  keepLayout(window, parts.saveLayout);
  showCrashes(window, parts.isQuitting);
  void window.loadURL(`${APP_ORIGIN}/index.html`);
  return window;
}

function joinHub(window: BrowserWindow, hub: EventHub): void {
  const membership = hub.join({
    isShown: () => !window.isDestroyed() && window.isVisible() && !window.isMinimized(),
    send: (event, payload) => window.webContents.send(EVENT_CHANNEL, event, payload),
  });
  window.on("show", membership.shown);
  window.on("restore", membership.shown);
  window.webContents.on("did-finish-load", membership.shown);
  window.on("closed", membership.leave);
}

function keepLayout(window: BrowserWindow, save: WindowParts["saveLayout"]): void {
  let timer: NodeJS.Timeout | null = null;
  const saveNow = (): void => {
    if (timer !== null) clearTimeout(timer);
    timer = null;
    save({ bounds: window.getNormalBounds(), isMaximized: window.isMaximized() });
  };
  const saveSoon = (): void => {
    if (timer !== null) clearTimeout(timer);
    timer = setTimeout(saveNow, SAVE_AFTER_MS);
  };
  window.on("resize", saveSoon);
  window.on("move", saveSoon);
  window.on("close", saveNow);
}

/**
 * A page whose process ended is replaced by a card that says so and can load it again: never a white window. A page that runs
 * no more is ended for that; what was typed a second before is kept (workspace/window.json).
 */
function showCrashes(window: BrowserWindow, isQuitting: () => boolean): void {
  const { webContents } = window;
  let isHung = false;
  const pulse = new PagePulse({
    ask: () => webContents.executeJavaScript("0"),
    isExpected: () =>
      window.isVisible() && !window.isMinimized() && !webContents.isLoading() && !webContents.isCrashed(),
    onHung: () => {
      isHung = true;
      webContents.forcefullyCrashRenderer();
    },
  });
  const timer = setInterval(() => pulse.look(), PULSE_EVERY_MS);
  window.on("closed", () => clearInterval(timer));
  webContents.on("render-process-gone", (_event, details) => {
    const reason = isHung ? "hung" : details.reason;
    isHung = false;
    pulse.reset();
    if (isQuitting() || reason === "clean-exit") return;
    // After this handler: Electron takes no load while it still tells of the crash.
    setImmediate(() => {
      if (window.isDestroyed()) return;
      void window.loadURL(`${APP_ORIGIN}/index.html?crashed=${encodeURIComponent(reason)}`);
    });
  });
}

/** Where the build puts the preload script and the page, seen from `out/main`. */
export function builtPaths(mainFolder: string): { readonly preload: string; readonly renderer: string } {
  return {
    preload: join(mainFolder, "../preload/preload.cjs"),
    renderer: join(mainFolder, "../renderer"),
  };
}
