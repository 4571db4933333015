import { spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { expect, test } from "vitest";
import { projectRoot } from "./project-root.ts";

const moduleUrl = join(projectRoot, "build/run-child.ts");

/** Starts a Node that runs `childScript` through runChild, as `npm start` runs the app. */
function startRunner(childScript: string): ReturnType<typeof spawn> {
  const script = `
    const { runChild } = await import(${JSON.stringify(moduleUrl)});
    process.exitCode = await runChild(process.execPath, ["-e", ${JSON.stringify(childScript)}], {});
  `;
  return spawn(process.execPath, ["--input-type=module", "-e", script], {
    stdio: ["ignore", "pipe", "inherit"],
  });
}

test("passes Ctrl+C on, waits for the child's clean end and takes over its exit code", async () => {
  const runner = startRunner(`
    process.on("SIGINT", () => { process.stdout.write("stopping;"); setImmediate(() => process.exit(7)); });
    setInterval(() => {}, 1000);
    process.stdout.write("ready;");
  `);
  let output = "";
  runner.stdout?.on("data", (chunk: Buffer) => {
    output += chunk.toString();
    if (output === "ready;") runner.kill("SIGINT");
  });
  await once(runner, "exit");
  expect(output).toBe("ready;stopping;");
  expect(runner.exitCode).toBe(7);
});

test("answers 128 + signal number when a signal ended the child", async () => {
  const runner = startRunner(`process.kill(process.pid, "SIGKILL")`);
  await once(runner, "exit");
  expect(runner.exitCode).toBe(128 + 9);
});
