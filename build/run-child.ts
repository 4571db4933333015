import { spawn, type SpawnOptions } from "node:child_process";
import { constants } from "node:os";

const PASSED_ON = ["SIGINT", "SIGTERM", "SIGHUP"] as const;
/** npm passes a Ctrl+C on as well; one within this time is the same key press. */
const SAME_PRESS_MS = 1_000;

/**
 * Runs a program in this terminal until it ends, passing signals on, and resolves with its exit code (128 + number
 * when a signal ended it). Never ends before the child does, so that Ctrl+C leaves nothing behind.
 */
export async function runChild(
  command: string,
  args: readonly string[],
  options: SpawnOptions,
): Promise<number> {
  const child = spawn(command, args, { stdio: "inherit", ...options });
  let lastInterruptMs = -Infinity;

  const passOn = (signal: NodeJS.Signals): void => {
    // A terminal sends Ctrl+C to the child as well; passing it on would look like a second, impatient one.
    if (signal === "SIGINT" && process.stdin.isTTY) return;
    const nowMs = performance.now();
    if (signal === "SIGINT" && nowMs - lastInterruptMs < SAME_PRESS_MS) return;
    if (signal === "SIGINT") lastInterruptMs = nowMs;
    child.kill(signal);
  };
  for (const signal of PASSED_ON) process.on(signal, passOn);

  try {
    return await new Promise<number>((resolve, reject) => {
      child.once("error", reject);
      child.once("exit", (code, signal) =>
        resolve(code ?? 128 + (signal === null ? 0 : constants.signals[signal])),
      );
    });
  } finally {
    for (const signal of PASSED_ON) process.off(signal, passOn);
  }
}
