import { enableCompileCache } from "node:module";
import { COMPILE_CACHE } from "./checkout.ts";

// Before anything of size is loaded, which is why that is imported below and not above.
enableCompileCache(COMPILE_CACHE);
const { runCommandLine } = await import("./run-command-line.ts");

// A closed pipe (`highwater … | head`) is the reader's right and no error of ours.
process.stdout.on("error", (error: NodeJS.ErrnoException) => {
  if (error.code === "EPIPE") process.exit(0);
  process.stderr.write(`highwater: the result could not be written: ${error.message}\n`);
  process.exit(1);
});
// Nobody is left who could be told.
process.stderr.on("error", () => undefined);
process.exitCode = await runCommandLine(process.argv.slice(2));
// The answer is out: a Ctrl+C that arrives twice (npm passes it on) must not turn its exit code into "killed".
for (const name of ["SIGINT", "SIGTERM", "SIGHUP"] as const) process.on(name, () => undefined);
