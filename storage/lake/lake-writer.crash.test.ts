import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { fileURLToPath } from "node:url";
import { setTimeout as delay } from "node:timers/promises";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { FailpointName } from "../model/failpoints.ts";

const CHILD = fileURLToPath(import.meta.resolve("./lake-child.test-support.ts"));
const STALL_LIMIT_MS = 60_000;

/** Failpoints of the lake with the passage to stop at: late enough that files, seals and expired rows exist. */
const STOPS: readonly (readonly [FailpointName, number])[] = [
  ["commit-before", 9],
  ["commit-in", 1],
  ["commit-in", 12],
  ["commit-after", 12],
  ["parquet-mid-write", 1],
  ["parquet-after-rename", 2],
  ["parquet-before-commit", 1],
  ["seal-before", 2],
  ["seal-files-written", 2],
  ["seal-in-transaction", 1],
  ["seal-in-transaction", 3],
  ["seal-after", 2],
  ["amend-before", 1],
  ["amend-in-transaction", 2],
  ["expire-mid", 1],
  ["expire-mid", 4],
  ["expire-after", 3],
  ["prune-mid", 1],
  ["prune-after", 2],
  ["sweep-mid-unlink", 1],
];

let base = "";
let undisturbed = "";

beforeAll(async () => {
  base = mkdtempSync(join(tmpdir(), "highwater-kill-"));
  undisturbed = await finish(join(base, "undisturbed"));
});
afterAll(() => rmSync(base, { recursive: true, force: true }));

function start(root: string, failpoint: string) {
  const env = { ...process.env, HIGHWATER_FAILPOINT: failpoint };
  return spawn(process.execPath, [CHILD, root], { env, stdio: ["ignore", "pipe", "pipe"] });
}

async function finish(root: string): Promise<string> {
  const child = start(root, "");
  const exited = once(child, "exit");
  const [output, errors] = await Promise.all([text(child.stdout), text(child.stderr)]);
  const [code] = await exited;
  if (code !== 0) throw new Error(`the writer failed: ${errors}`);
  return output;
}

test.each(STOPS)("ends as if undisturbed after SIGKILL at %s, passage %i", async (name, hit) => {
  const root = join(base, `${name}-${hit}`);
  const report = join(base, `${name}-${hit}.json`);
  const child = start(root, `${name}:${hit}:${report}`);
  const exited = once(child, "exit");
  let isOver = false;
  void exited.then(() => (isOver = true));
  for (let waited = 0; !existsSync(report); waited += 20) {
    if (isOver || waited > STALL_LIMIT_MS) throw new Error(`${name} was not passed ${hit} times`);
    await delay(20);
  }
  child.kill("SIGKILL");
  await exited;
  expect(await finish(root)).toBe(undisturbed);
});
