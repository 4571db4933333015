import { fork } from "node:child_process";
import { join } from "node:path";
import { workerNodePath } from "#main/engine/node-path.ts";
import { PROJECT_ROOT } from "#main/cli/checkout.ts";
import type { MeasurementName, Measurements } from "../measure/contract.ts";

/** A measurement that takes longer hangs: the longest, a history of ten million events, takes a few minutes. */
const LIMIT_MS = 1_800_000;

/** Runs `bench/measure/<name>.measure.ts` in a process of its own. Rejects when it fails, and ends it when it hangs. */
export function runMeasurement<Name extends MeasurementName>(
  name: Name,
  input: Measurements[Name]["input"],
): Promise<Measurements[Name]["output"]> {
  const entry = join(import.meta.dirname, "..", "measure", `${name}.measure.ts`);
  const child = fork(entry, [JSON.stringify(input)], {
    execPath: workerNodePath(PROJECT_ROOT),
    execArgv: ["--disable-warning=ExperimentalWarning", "--max-old-space-size=4096"],
    serialization: "advanced",
    stdio: ["ignore", "ignore", "pipe", "ipc"],
  });
  let output: Measurements[Name]["output"] | null = null;
  let errors = "";
  child.on("message", (message: { readonly output: Measurements[Name]["output"] }) => {
    output = message.output;
  });
  child.stderr?.setEncoding("utf8").on("data", (text: string) => {
    errors = (errors + text).slice(-4_000);
  });
  const timer = setTimeout(() => child.kill("SIGKILL"), LIMIT_MS);
  const { promise, resolve, reject } = Promise.withResolvers<Measurements[Name]["output"]>();
  child.on("error", reject);
  child.on("close", (code, signal) => {
    clearTimeout(timer);
    if (output !== null && code === 0) resolve(output);
    else
      reject(
        new Error(`measuring ${name} ended with ${signal ?? `exit code ${code}`}: ${lastLines(errors)}`),
      );
  });
  return promise;
}

function lastLines(text: string): string {
  const error = text.split("\n").find((line) => /^\w*Error/.test(line));
  return (error ?? text.trim().split("\n").at(-1) ?? "").slice(0, 300);
}
