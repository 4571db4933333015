/**
 * Entry of the windowed app: fence and engine first (a second start on the folder ends here, before any window), then
 * bridge and window. Quitting stops the workers cleanly before the process ends.
 */
import { join } from "node:path";
import {
  app,
  BrowserWindow,
  dialog,
  Menu,
  nativeTheme,
  type OpenDialogOptions,
  protocol,
  session,
  shell,
} from "electron";
import { writeFileAtomic } from "#storage/files/write-file-atomic.ts";
import { AppError } from "#storage/model/errors.ts";
import { createDispatcher } from "../bridge/dispatcher.ts";
import { EventHub } from "../bridge/event-hub.ts";
import { createHandlers, type WindowPorts } from "../bridge/handlers.ts";
import { KillDesk } from "../chaos/kill-desk.ts";
import { startEngine } from "../compose.ts";
import { foldersOfSwitches } from "../engine/data-location.ts";
import type { ThemeChoice } from "../contract/theme.ts";
import type { Engine } from "../engine/engine-contract.ts";
import { APP_SCHEME } from "./app-files.ts";
import { serveBridge } from "./bridge-server.ts";
import { hardenEveryPage, hardenSession } from "./harden.ts";
import { explainFailedStart } from "./failed-start.ts";
import { readNewest, type SetAside } from "./newest-file.ts";
import { parseWindowArguments, type WindowArguments } from "./window-arguments.ts";
import { readLayout, writeLayout, type WindowLayout } from "./window-layout.ts";
import { builtPaths, openWindow } from "./window.ts";
import { createElectronHost } from "./worker-host.ts";

const mainFolder = import.meta.dirname;
const MEMORY_FILE = "window.json";

/** Bugs and failed saves of main; the engine keeps the workers' log files. */
function complain(what: string, error: unknown): void {
  process.stderr.write(
    `highwater: ${what}: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}\n`,
  );
}

/** What the page remembers, in the data folder in use; read from wherever it was saved last. */
function windowMemory(
  engine: Engine,
  workspaces: readonly string[],
  aside: SetAside,
  told: string[],
): Pick<WindowPorts, "readMemory" | "saveMemory"> {
  return {
    readMemory: async () => {
      const text = await readNewest(workspaces, MEMORY_FILE, asJsonText, aside);
      const { theme } = await readLayout(workspaces, aside);
      // Told once: a page that is loaded again has nothing to say of it.
      return { text, theme, setAside: told.splice(0) };
    },
    saveMemory: (text) => writeFileAtomic(join(engine.status().dataFolder, "workspace", MEMORY_FILE), text),
  };
}

/** The text where it is JSON; throws otherwise. */
function asJsonText(text: string): string {
  JSON.parse(text);
  return text;
}

/** Electron knows light and dark; the contrast of a high-contrast theme is the page's business. */
function themeSourceOf(theme: ThemeChoice): "system" | "dark" | "light" {
  if (theme === "high-contrast-dark") return "dark";
  return theme === "high-contrast-light" ? "light" : theme;
}

/** Layout of the window in memory and on disk; a save that fails costs the place, never the app. */
function keepLayout(engine: Engine, first: WindowLayout): (change: Partial<WindowLayout>) => Promise<void> {
  let layout = first;
  let saving = Promise.resolve();
  return (change) => {
    layout = { ...layout, ...change };
    const next = layout;
    saving = saving
      .then(() => writeLayout(join(engine.status().dataFolder, "workspace"), next))
      .catch((error: unknown) => complain("the window's place could not be saved", error));
    return saving;
  };
}

/** Stops the workers before the process ends, whatever asks for the end (window, menu, Ctrl+C, session). */
function stopBeforeQuit(engine: Engine, before: () => Promise<void>): () => boolean {
  let state: "running" | "stopping" | "stopped" = "running";
  app.on("before-quit", (event) => {
    if (state === "stopped") return;
    event.preventDefault();
    if (state === "stopping") return;
    state = "stopping";
    // Gone at once for the user; the workers finish behind it.
    for (const window of BrowserWindow.getAllWindows()) window.destroy();
    void engine
      .stop()
      .catch((error: unknown) => complain("the workers could not be stopped", error))
      .then(before)
      .finally(() => {
        state = "stopped";
        app.quit();
      });
  });
  app.on("window-all-closed", () => app.quit());
  return () => state !== "running";
}

function bringToFront(): void {
  const [window] = BrowserWindow.getAllWindows();
  if (window?.isMinimized() === true) window.restore();
  window?.show();
  window?.focus();
}

/** The desktop's dialog for the name of something that is to be made; null = none was chosen. */
async function choosePath(suggestedName: string, title: string): Promise<string | null> {
  const [window] = BrowserWindow.getAllWindows();
  const options = { title, defaultPath: join(app.getPath("downloads"), suggestedName) };
  const { canceled, filePath } = await (window === undefined
    ? dialog.showSaveDialog(options)
    : dialog.showSaveDialog(window, options));
  return canceled || filePath === "" ? null : filePath;
}

/** The desktop's dialog for a recording; null = none was chosen. */
async function chooseRecording(): Promise<string | null> {
  const [window] = BrowserWindow.getAllWindows();
  const options: OpenDialogOptions = {
    title: "Open a recording",
    properties: ["openFile"],
    filters: [
      {
        name: "Recordings (NDJSON, JSON, SSE; plain or gzip)",
        extensions: ["ndjson", "jsonl", "json", "txt", "sse", "gz"],
      },
      { name: "All files", extensions: ["*"] },
    ],
  };
  const { canceled, filePaths } = await (window === undefined
    ? dialog.showOpenDialog(options)
    : dialog.showOpenDialog(window, options));
  return canceled ? null : (filePaths[0] ?? null);
}

async function start({ dataFolder, source, feed }: WindowArguments): Promise<void> {
  const engine = await startEngine({
    dataFolder,
    source,
    feed,
    stopAfterEvents: null,
    host: createElectronHost(mainFolder),
    version: app.getVersion(),
    withQuery: true,
    onShow: bringToFront,
  });
  const { dataFolder: folderInUse, mode } = engine.status();
  const folders = foldersOfSwitches(folderInUse, dataFolder, mode);
  const workspaces = folders.map((folder) => join(folder, "workspace"));
  const setAside: string[] = [];
  const aside: SetAside = {
    folder: join(folderInUse, "workspace"),
    onSetAside: (path) => void setAside.push(path),
  };
  const layout = await readLayout(workspaces, aside);
  nativeTheme.themeSource = themeSourceOf(layout.theme);
  const saveLayout = keepLayout(engine, layout);
  const hub = new EventHub(engine);
  const kills = new KillDesk(engine, (state) => hub.tellState("kill", state));
  const isQuitting = stopBeforeQuit(engine, async () => {
    hub.close();
    await saveLayout({});
  });
  const handlers = createHandlers(engine, kills, {
    openExternal: (url) => shell.openExternal(url),
    chooseSavePath: (suggestedName) => choosePath(suggestedName, "Save"),
    chooseNewFolder: (suggestedName) => choosePath(suggestedName, "Export into a new folder"),
    chooseRecording,
    showFolder: (path) => void shell.openPath(path),
    tellProgress: (progress) => hub.tell("progress", progress),
    onPageGone: (listener) => app.on("render-process-gone", listener),
    showInFolder: (path) => shell.showItemInFolder(path),
    setTheme: async (theme) => {
      nativeTheme.themeSource = themeSourceOf(theme);
      await saveLayout({ theme });
    },
    ...windowMemory(engine, workspaces, aside, setAside),
  });
  serveBridge(createDispatcher(handlers, (command, error) => complain(`bug in ${command}`, error)));
  const paths = builtPaths(mainFolder);
  // In memory only: the window keeps nothing in Chromium's own folder, so two data folders never share anything.
  const windowSession = session.fromPartition("workbench");
  hardenSession(windowSession, paths.renderer);
  openWindow({
    session: windowSession,
    preloadPath: paths.preload,
    hub,
    layout,
    saveLayout: (place) => void saveLayout(place),
    isQuitting,
  });
}

// Chromium refuses to start when its sandbox is asked for and switched off at the same time (root in CI).
if (!app.commandLine.hasSwitch("no-sandbox")) app.enableSandbox();
protocol.registerSchemesAsPrivileged([
  { scheme: APP_SCHEME, privileges: { standard: true, secure: true, supportFetchAPI: true } },
]);
hardenEveryPage();
// Shortcuts of a default menu (reload, developer tools) are not the workbench's; macOS needs one for copy and paste.
if (process.platform !== "darwin") Menu.setApplicationMenu(null);
async function startOrExplain(): Promise<void> {
  let given: WindowArguments | null = null;
  try {
    given = parseWindowArguments(process.argv.slice(1));
    await start(given);
  } catch (error) {
    if (!(error instanceof AppError)) complain("the app could not start", error);
    app.exit(await explainFailedStart(error, given));
  }
}

// Not a top-level await: that hung on Electron 33.
void app.whenReady().then(startOrExplain);
