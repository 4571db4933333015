import { enableCompileCache } from "node:module";
import { COMPILE_CACHE } from "./checkout.ts";

// Before anything of size is loaded, which is why that is imported below and not above.
enableCompileCache(COMPILE_CACHE);
const { runCommandLine } = await import("./run-command-line.ts");

// A closed pipe (`highwater … | head`) is the reader's right and no error of ours.
process.stdout.on("error", () => process.exit(0));
process.exitCode = await runCommandLine(process.argv.slice(2));
