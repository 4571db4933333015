import {
  _electron,
  test as base,
  type ElectronApplication,
  type Page,
  type TestInfo,
} from "@playwright/test";
import type { ChildProcess } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { prepareElectron } from "../../build/electron-runtime.ts";
import { projectRoot } from "../../build/project-root.ts";

export type LaunchOptions = {
  /** Arguments of the app, after its folder. `--data` is set unless given here. */
  args?: readonly string[];
  env?: Readonly<Record<string, string>>;
  /** True to leave --data out, so that the app takes the user-data folder of `env`. Default false. */
  usesDefaultFolder?: boolean;
  /** True to leave Chromium its own GPU process, which a test kills. Default: as `npm start` starts it. */
  hasGpuProcess?: boolean;
  /** False where the window is measured: a trace takes pictures and copies of the page all the time. Default true. */
  trace?: boolean;
};

export type LaunchedApp = { app: ElectronApplication; window: Page };

export type Launch = (options?: LaunchOptions) => Promise<LaunchedApp>;

type Fixtures = {
  /** A data folder of this test's own, removed after its apps have ended. */
  dataFolder: string;
  /** Starts the built app in the real Electron; every app of a test is closed after it. */
  launch: Launch;
};

/** The app promises to stop its workers within 5 s; after twice that it is killed, and the test still ends. */
const CLOSE_LIMIT_MS = 10_000;
const LAUNCH_LIMIT_MS = 30_000;
/** Output kept per app for a failed test's report. */
const MAX_OUTPUT_CHARS = 1_000_000;

/** The process is kept, because Playwright forgets it once the app has ended. */
type Running = {
  app: ElectronApplication;
  child: ChildProcess;
  isTraced: boolean;
  readOutput: () => string;
};

function collectOutput(app: ElectronApplication): () => string {
  let output = "";
  const keep = (chunk: Buffer): void => {
    output = (output + chunk.toString("utf8")).slice(-MAX_OUTPUT_CHARS);
  };
  app.process().stdout?.on("data", keep);
  app.process().stderr?.on("data", keep);
  return () => output;
}

async function start(dataFolder: string, options: LaunchOptions): Promise<Running> {
  const electron = await prepareElectron();
  const args = options.args ?? [];
  const data = args.includes("--data") || options.usesDefaultFolder === true ? [] : ["--data", dataFolder];
  const app = await _electron.launch({
    executablePath: electron.execPath,
    args: [
      ...electron.flags.filter((flag) => options.hasGpuProcess !== true || flag !== "--in-process-gpu"),
      `--user-data-dir=${join(dataFolder, "chromium")}`,
      projectRoot,
      ...data,
      ...args,
    ],
    // Chromium refuses its sandbox to root; Playwright then adds --no-sandbox by itself.
    chromiumSandbox: process.getuid?.() !== 0,
    env: {
      ...definedEnv(),
      HIGHWATER_NODE: process.env["HIGHWATER_NODE"] ?? process.execPath,
      ...options.env,
    },
    // Playwright would pretend a light system; the theme is what Electron says.
    colorScheme: null,
    timeout: LAUNCH_LIMIT_MS,
  });
  const readOutput = collectOutput(app);
  // `use.trace` does not record Electron's pages.
  const isTraced = options.trace !== false;
  if (isTraced) await app.context().tracing.start({ screenshots: true, snapshots: true });
  return { app, child: app.process(), isTraced, readOutput };
}

function definedEnv(): Record<string, string> {
  return Object.fromEntries(
    Object.entries(process.env).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])),
  );
}

/** Ends the trace, which lies in Playwright's temporary folder until then, and keeps it when the test failed. */
async function endTrace(running: Running, at: number, testInfo: TestInfo): Promise<void> {
  const { tracing } = running.app.context();
  const hasFailed = testInfo.status !== testInfo.expectedStatus;
  if (!running.isTraced) return hasFailed ? attachOutput(running, at, testInfo) : undefined;
  if (!hasFailed) return tracing.stop();
  const trace = testInfo.outputPath(`trace-${at}.zip`);
  await tracing.stop({ path: trace });
  testInfo.attachments.push({ name: `trace-${at}`, path: trace, contentType: "application/zip" });
  await attachOutput(running, at, testInfo);
}

async function attachOutput({ readOutput }: Running, at: number, testInfo: TestInfo): Promise<void> {
  await testInfo.attach(`output-${at}`, { body: readOutput(), contentType: "text/plain" });
}

/** Closes the app; one that does not end in time is killed, which is a failure of its own. */
async function close({ app, child }: Running): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const exited = once(child, "exit");
  const closed = app.close().then(() => exited);
  const inTime = await Promise.race([closed.then(() => true), delay(CLOSE_LIMIT_MS, false, { ref: false })]);
  if (inTime) return;
  child.kill("SIGKILL");
  await exited;
  throw new Error(`the app did not close within ${CLOSE_LIMIT_MS / 1000} s`);
}

export const test = base.extend<Fixtures>({
  // Playwright reads a fixture's dependencies from its first parameter, which must be a pattern.
  // oxlint-disable-next-line no-empty-pattern
  dataFolder: async ({}, use) => {
    const folder = await mkdtemp(join(tmpdir(), "highwater-e2e-"));
    await use(folder);
    await rm(folder, { recursive: true, force: true, maxRetries: 5 });
  },

  launch: async ({ dataFolder }, use, testInfo) => {
    const started: Running[] = [];
    await use(async (options = {}) => {
      const running = await start(dataFolder, options);
      started.push(running);
      return { app: running.app, window: await running.app.firstWindow() };
    });
    for (const [at, running] of started.entries()) {
      const { child } = running;
      const runs = child.exitCode === null && child.signalCode === null;
      if (runs) await endTrace(running, at, testInfo);
      await close(running);
    }
  },
});

export { expect } from "@playwright/test";
