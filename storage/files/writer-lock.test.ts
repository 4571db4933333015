import type { ChildProcess } from "node:child_process";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterEach, describe, expect, test } from "vitest";
import { parseProcStat, readProcessStart } from "./process-start.ts";
import { temporaryFolder } from "./temporary-folder.test-support.ts";
import { holdWriterLock } from "./writer-lock.ts";
import { isWriterAlive, readWriterRecord } from "./writer-record.ts";

const script = fileURLToPath(new URL("hold-lock.test-support.ts", import.meta.url));
const running: ChildProcess[] = [];

async function startHolder(path: string): Promise<{ child: ChildProcess; said: string }> {
  const child = spawn(process.execPath, [script, path], { stdio: ["ignore", "pipe", "inherit"] });
  running.push(child);
  const said: unknown = (await once(child.stdout, "data")).at(0);
  return { child, said: String(said).trim() };
}

async function kill(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const exited = once(child, "exit");
  child.kill("SIGKILL");
  await exited;
}

afterEach(async () => {
  await Promise.all(running.splice(0).map(kill));
});

describe("the writer lock", () => {
  test("is refused while another process has it, naming that process, and free the moment it is killed", async () => {
    const temporary = temporaryFolder();
    const path = join(temporary.path, "writer.lock");
    const { child, said } = await startHolder(path);
    expect(said).toBe(`held ${readProcessStart(child.pid ?? 0)}`);
    await expect(holdWriterLock(path)).rejects.toMatchObject({
      code: "writer-lock-held",
      details: { pid: child.pid, processStart: said.slice("held ".length) },
    });
    const record = readWriterRecord(path);
    expect(record !== null && isWriterAlive(record)).toBe(true);
    await kill(child);
    expect(record !== null && isWriterAlive(record)).toBe(false);
    const lock = await holdWriterLock(path);
    expect(readWriterRecord(path)).toEqual(lock.record);
    lock.release();
  });

  test("says what to do about a lock file that cannot be opened", async () => {
    const path = join(temporaryFolder().path, "writer.lock");
    mkdirSync(path);
    await expect(holdWriterLock(path)).rejects.toMatchObject({
      code: "data-folder-unusable",
      message: expect.stringContaining("--data"),
    });
  });

  test("stays held while this process asks for it again, and goes to the next after release", async () => {
    const temporary = temporaryFolder();
    const path = join(temporary.path, "writer.lock");
    const lock = await holdWriterLock(path);
    await expect(holdWriterLock(path)).rejects.toMatchObject({ code: "writer-lock-held" });
    expect((await startHolder(path)).said).toBe(`writer-lock-held ${process.pid}`);
    lock.release();
    expect((await startHolder(path)).said).toMatch(/^held /);
  });
});

describe("the start of a process", () => {
  test("is the same each time for one process and null for none", () => {
    expect(readProcessStart(process.pid)).toBe(readProcessStart(process.pid));
    expect(readProcessStart(process.pid)).not.toBeNull();
    expect(readProcessStart(2 ** 30)).toBeNull();
    expect(readProcessStart(-1)).toBeNull();
  });

  test("is found behind any command name, and a zombie has none", () => {
    const rest = Array.from({ length: 18 }, (_, index) => String(index)).join(" ");
    expect(parseProcStat(`42 (a) S (b)) S ${rest} 777 1 2`, "boot")).toBe("boot-777");
    expect(parseProcStat(`42 (a) Z ${rest} 777 1 2`, "boot")).toBeNull();
  });
});
