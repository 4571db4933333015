import { type ChildProcess, spawn } from "node:child_process";
import { join } from "node:path";
import { workerNodePath } from "#main/engine/node-path.ts";
import { askHolder, socketAddress } from "#main/engine/fence.ts";
import { PROJECT_ROOT } from "#main/cli/checkout.ts";
import type { DataFolder } from "#storage/files/data-folder.ts";
import { z } from "zod";
import type { Scope } from "./scope.ts";

/** A running command line, as a user would start it. */
export type CliProcess = {
  readonly child: ChildProcess;
  /** Resolves with how it ended. */
  readonly ended: Promise<{ code: number | null; signal: string | null }>;
  readonly stdout: () => string;
  readonly stderr: () => string;
};

/** Starts `highwater …` from the sources; killed with the scope when it still runs. */
export function startCli(
  scope: Scope,
  args: readonly string[],
  wrap: readonly string[] = [],
  env: NodeJS.ProcessEnv = process.env,
): CliProcess {
  const node = workerNodePath(PROJECT_ROOT);
  const [program = node, ...rest] = [...wrap, node, join(PROJECT_ROOT, "main/cli/highwater.ts"), ...args];
  const child = spawn(program, rest, { env, stdio: ["ignore", "pipe", "pipe"] });
  let [stdout, stderr] = ["", ""];
  child.stdout.on("data", (chunk: Buffer) => (stdout += chunk.toString("utf8")));
  child.stderr.on("data", (chunk: Buffer) => (stderr += chunk.toString("utf8")));
  const ended = new Promise<{ code: number | null; signal: string | null }>((resolve) =>
    child.on("close", (code, signal) => resolve({ code, signal })),
  );
  scope.onEnd(async () => {
    if (child.exitCode === null && child.signalCode === null) child.kill("SIGKILL");
    await ended;
  });
  return { child, ended, stdout: () => stdout, stderr: () => stderr };
}

const statusSchema = z.object({
  status: z.object({
    workers: z.array(
      z.object({ name: z.string(), phase: z.looseObject({ state: z.string(), pid: z.int().nullish() }) }),
    ),
    ingest: z.looseObject({ head: z.int() }).nullable(),
    pipeline: z.looseObject({ checkpoint: z.int(), snapshotId: z.int() }).nullable(),
  }),
});

/** What a running engine says over its socket; null while nobody answers. */
export async function askStatus(folder: DataFolder): Promise<z.infer<typeof statusSchema>["status"] | null> {
  const answer = await askHolder(socketAddress(folder.socket), { ask: "status" });
  const parsed = statusSchema.safeParse(answer);
  return parsed.success ? parsed.data.status : null;
}
