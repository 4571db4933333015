import { runCommandLine } from "./run-command-line.ts";

// A closed pipe (`highwater … | head`) is the reader's right and no error of ours.
process.stdout.on("error", () => process.exit(0));
process.exitCode = await runCommandLine(process.argv.slice(2));
