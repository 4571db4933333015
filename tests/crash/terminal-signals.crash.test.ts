import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { dataFolderAt } from "#storage/files/data-folder.ts";
import { askStatus, type CliProcess, startCli } from "../support/cli-process.ts";
import { until } from "../support/poll.ts";
import { type Scope, testScope } from "../support/scope.ts";
import { isAlive } from "../support/watched-host.ts";

/** Runs far longer than any test waits, and gives way at once when it is interrupted. */
const ENDLESS = "SELECT count(*) FROM range(1000000000) a, range(100000) b WHERE (a.range + b.range) % 7 = 8";
/** "Workers end within 2 s of main's death", and some more for a loaded machine to notice it. */
const ORPHAN_LIMIT_MS = 6_000;

async function newLake(scope: Scope): Promise<string> {
  const data = join(scope.folder(), "data");
  const made = startCli(scope, [
    "run",
    "--source",
    "demo",
    "--events",
    "20",
    "--rate",
    "max",
    "--data",
    data,
  ]);
  expect(await made.ended).toEqual({ code: 0, signal: null });
  return data;
}

/** A command in a process group of its own, as a terminal starts it. */
function inGroup(scope: Scope, args: readonly string[]): CliProcess & { pid: number } {
  const cli = startCli(scope, args, ["setsid"]);
  return { ...cli, pid: cli.child.pid ?? Number.NaN };
}

/** The worker of a command once it computes: a second of CPU is more than its start takes. */
async function busyWorker(pid: number): Promise<number> {
  return until("a worker that computes", () => childrenOf(pid).find((child) => cpuTicks(child) > 150));
}

function childrenOf(pid: number): number[] {
  return readdirSync("/proc")
    .filter((name) => /^\d+$/.test(name) && statFields(Number(name))[1] === String(pid))
    .map(Number);
}

function cpuTicks(pid: number): number {
  const fields = statFields(pid);
  return Number(fields[11] ?? 0) + Number(fields[12] ?? 0);
}

/** /proc/PID/stat behind the name, which may hold blanks: [0] state, [1] parent, [11] and [12] CPU in ticks of 10 ms. */
function statFields(pid: number): string[] {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, "utf8");
    return stat.slice(stat.lastIndexOf(")") + 2).split(" ");
  } catch {
    return [];
  }
}

function errorOf(cli: CliProcess): unknown {
  const document: unknown = JSON.parse(cli.stdout());
  return document;
}

describe.skipIf(process.platform !== "linux")("signals of a terminal", () => {
  test("Ctrl+C twice within a moment ends a run in order: exit code 0, one document, workers stopped and not killed", async () => {
    const scope = testScope();
    const data = join(scope.folder(), "data");
    const cli = inGroup(scope, ["run", "--source", "demo", "--rate", "200", "--data", data, "--json"]);
    await until(
      "a commit",
      async () => ((await askStatus(dataFolderAt(data)))?.pipeline?.checkpoint ?? 0) > 1,
    );
    process.kill(-cli.pid, "SIGINT");
    process.kill(-cli.pid, "SIGINT");
    expect(await cli.ended).toEqual({ code: 0, signal: null });
    expect(JSON.parse(cli.stdout())).toMatchObject({
      ended: "interrupted",
      workers: [
        { lastExit: { how: "exit code 0" } },
        { lastExit: { how: "exit code 0" } },
        { lastExit: { how: "exit code 0" } },
      ],
    });
  });

  test("Ctrl+C in an endless statement cancels it and says so", async () => {
    const scope = testScope();
    const cli = inGroup(scope, ["sql", ENDLESS, "--data", await newLake(scope), "--json"]);
    const worker = await busyWorker(cli.pid);
    process.kill(-cli.pid, "SIGINT");
    expect(await cli.ended).toEqual({ code: 1, signal: null });
    expect(errorOf(cli)).toMatchObject({ error: { code: "statement-cancelled" } });
    expect(isAlive(worker)).toBe(false);
  });

  test("a command whose query worker is killed says so at once instead of waiting for ever", async () => {
    const scope = testScope();
    const cli = inGroup(scope, ["sql", ENDLESS, "--data", await newLake(scope), "--json"]);
    process.kill(await busyWorker(cli.pid), "SIGKILL");
    expect(await cli.ended).toEqual({ code: 1, signal: null });
    expect(errorOf(cli)).toMatchObject({ error: { code: "worker-gone" } });
  });

  test("a query worker whose parent is killed ends with it, whatever it computes", async () => {
    const scope = testScope();
    const cli = inGroup(scope, ["sql", ENDLESS, "--data", await newLake(scope)]);
    const worker = await busyWorker(cli.pid);
    process.kill(cli.pid, "SIGKILL");
    await until("the orphan's end", () => !isAlive(worker), { limitMs: ORPHAN_LIMIT_MS });
    expect(childrenOf(worker)).toEqual([]);
  });
});
