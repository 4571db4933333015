import { spawn, type ChildProcess } from "node:child_process";
import { mkdtemp, readdir, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { z } from "zod";
import { ensureLibraries } from "./electron-libraries.ts";
import { packedExecutable } from "./package-layout.ts";

const WINDOW_LIMIT_MS = 60_000;
const END_LIMIT_MS = 15_000;
const POLL_MS = 200;
const WINDOW_TITLE = /Highwater/;
/** Kept of what the app prints, for the message of a failed check. */
const MAX_OUTPUT_CHARS = 4_000;

const pagesSchema = z.array(
  z.object({ type: z.string(), title: z.string(), webSocketDebuggerUrl: z.string().optional() }),
);
const evaluationSchema = z.object({ result: z.object({ result: z.object({ value: z.unknown() }) }) });

/** Calls `attempt` until it answers something else than null. */
async function until<T>(what: string, limitMs: number, attempt: () => Promise<T | null>): Promise<T> {
  const deadlineMs = performance.now() + limitMs;
  for (;;) {
    const answer = await attempt();
    if (answer !== null) return answer;
    if (performance.now() > deadlineMs) throw new Error(`${what}: not within ${limitMs / 1000} s`);
    await delay(POLL_MS);
  }
}

async function pageSocket(profile: string): Promise<string | null> {
  try {
    const [port] = (await readFile(join(profile, "DevToolsActivePort"), "utf8")).split("\n");
    const response = await fetch(`http://127.0.0.1:${port}/json/list`);
    const pages = pagesSchema.parse(await response.json());
    // The title is polled first: attaching to a page that is still loading hangs now and then.
    return (
      pages.find((page) => page.type === "page" && WINDOW_TITLE.test(page.title))?.webSocketDebuggerUrl ??
      null
    );
  } catch {
    // No port file, or nobody listens yet: the caller polls until its limit.
    return null;
  }
}

async function textOfPage(socketUrl: string): Promise<string> {
  const socket = new WebSocket(socketUrl);
  try {
    const answer = new Promise<string>((resolve, reject) => {
      socket.addEventListener("open", () => {
        const params = { expression: "document.body.innerText", returnByValue: true };
        socket.send(JSON.stringify({ id: 1, method: "Runtime.evaluate", params }));
      });
      socket.addEventListener("error", () => reject(new Error("the debugging port closed the connection")));
      socket.addEventListener("message", ({ data }) => {
        const parsed = evaluationSchema.safeParse(JSON.parse(String(data)));
        if (parsed.success) resolve(String(parsed.data.result.result.value));
      });
    });
    return await answer;
  } finally {
    socket.close();
  }
}

/** Pids whose environment carries `mark`: everything that the app started, however it was re-parented. */
async function processesMarked(mark: string): Promise<number[]> {
  const pids = (await readdir("/proc")).filter((name) => /^\d+$/.test(name));
  const marked = await Promise.all(
    pids.map(async (pid) => {
      const environment = await readFile(`/proc/${pid}/environ`, "utf8").catch(() => "");
      return environment.includes(mark) ? [Number(pid)] : [];
    }),
  );
  return marked.flat();
}

function start(folder: string, mark: string): { child: ChildProcess; readOutput: () => string } {
  const needsDisplay = !process.env["DISPLAY"] && !process.env["WAYLAND_DISPLAY"];
  const app = [
    packedExecutable,
    ...(process.getuid?.() === 0 ? ["--no-sandbox"] : []),
    "--log-level=3",
    "--remote-debugging-port=0",
    `--user-data-dir=${join(folder, "profile")}`,
    `--data=${join(folder, "data")}`,
  ];
  const [command = packedExecutable, ...args] = needsDisplay ? ["xvfb-run", "--auto-servernum", ...app] : app;
  const child = spawn(command, args, {
    env: { ...process.env, HIGHWATER_PACKAGE_CHECK: mark, HIGHWATER_NODE: process.execPath },
    stdio: ["ignore", "pipe", "pipe"],
  });
  let output = "";
  for (const stream of [child.stdout, child.stderr]) {
    stream.on("data", (chunk: Buffer) => {
      output = (output + chunk.toString("utf8")).slice(-MAX_OUTPUT_CHARS);
    });
  }
  return { child, readOutput: () => output };
}

async function mainProcess(mark: string): Promise<number> {
  for (const pid of await processesMarked(mark)) {
    const command = await readFile(`/proc/${pid}/cmdline`, "utf8").catch(() => "");
    if (command.startsWith(packedExecutable) && !command.includes("--type=")) return pid;
  }
  throw new Error("the app's main process is gone");
}

async function endApp(mark: string): Promise<void> {
  process.kill(await mainProcess(mark), "SIGTERM");
  await until("the app and all it started end after SIGTERM", END_LIMIT_MS, async () =>
    (await processesMarked(mark)).length === 0 ? true : null,
  );
}

/**
 * Starts the packed app with a data folder of its own, waits for a window with text in it, ends it with SIGTERM, and
 * rejects when any process it started is left.
 */
export async function checkPackedAppStarts(): Promise<void> {
  ensureLibraries(packedExecutable, !process.env["DISPLAY"]);
  const folder = await mkdtemp(join(tmpdir(), "highwater-package-"));
  const mark = `check-${process.pid}-${Date.now()}`;
  const { child, readOutput } = start(folder, mark);
  try {
    const socketUrl = await until("the window appears", WINDOW_LIMIT_MS, () =>
      pageSocket(join(folder, "profile")),
    );
    await until("the window shows text", WINDOW_LIMIT_MS, async () =>
      (await textOfPage(socketUrl)).trim() === "" ? null : true,
    );
    await endApp(mark);
  } catch (error) {
    throw new Error(`${error instanceof Error ? error.message : String(error)}\n${readOutput()}`, {
      cause: error,
    });
  } finally {
    for (const pid of await processesMarked(mark)) {
      try {
        process.kill(pid, "SIGKILL");
      } catch {
        // Ended by itself in the meantime.
      }
    }
    child.kill("SIGKILL");
    await rm(folder, { recursive: true, force: true, maxRetries: 5 });
  }
}
