import { parseArgs } from "node:util";
import { AppError, toWireError } from "#storage/model/errors.ts";
import { type Command, EXIT, type ExitCode, type Output } from "./command.ts";
import { COMMANDS } from "./commands/registry.ts";
import { usage } from "./flags.ts";
import { createOutput } from "./output.ts";
import { readVersion } from "./run-options.ts";

const COMMON = {
  data: { type: "string" },
  json: { type: "boolean" },
  help: { type: "boolean", short: "h" },
} as const;

/** Errors that the caller's words caused; the message says which words would do. */
const USAGE_CODES: ReadonlySet<string> = new Set([
  "usage",
  "settings-invalid",
  "statement-refused",
  "snapshot-unknown",
  "table-unknown",
]);

/** Runs one command line and returns its exit code. Errors of the product become one clear message; anything else is a bug and crashes. */
export async function runCommandLine(
  args: readonly string[],
  makeOutput: (isJson: boolean) => Output = createOutput,
): Promise<ExitCode> {
  const output = makeOutput(args.includes("--json"));
  const [name, ...rest] = args;
  if (name === undefined || name === "help" || name === "--help" || name === "-h") {
    output.line(helpOverview());
    output.json({ help: helpOverview() });
    return EXIT.ok;
  }
  if (name === "--version") {
    output.line(`highwater ${readVersion()}`);
    output.json({ version: readVersion() });
    return EXIT.ok;
  }
  try {
    const command = COMMANDS.find((candidate) => candidate.name === name);
    if (command === undefined)
      throw usage(`unknown command ${name}; known: ${COMMANDS.map((known) => known.name).join(", ")}`);
    return await runOne(command, rest, output);
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    output.notice(`highwater: ${error.message}`);
    output.json({ error: toWireError(error) });
    return USAGE_CODES.has(error.code) ? EXIT.usage : EXIT.broken;
  }
}

async function runOne(command: Command, args: readonly string[], output: Output): Promise<ExitCode> {
  const { flags, words } = parse(command, args);
  if (flags["help"] === true) {
    output.line(helpOf(command));
    output.json({ help: helpOf(command) });
    return EXIT.ok;
  }
  // `verify /some/folder` would check the default folder and say ok.
  if (words.length > 0 && command.takesWords !== true)
    throw usage(
      `${command.name} takes flags only, not: ${words.join(" ")}; a data folder is named with --data DIR`,
    );
  return command.run({ flags, words, output });
}

function parse(
  command: Command,
  args: readonly string[],
): { flags: Record<string, string | boolean | undefined>; words: string[] } {
  try {
    const parsed = parseArgs({
      args: [...args],
      options: { ...COMMON, ...command.options },
      allowPositionals: true,
      strict: true,
    });
    return {
      flags: parsed.values as Record<string, string | boolean | undefined>,
      words: parsed.positionals,
    };
  } catch (error) {
    throw usage(
      `${error instanceof Error ? error.message : String(error)} (highwater ${command.name} --help)`,
    );
  }
}

function helpOverview(): string {
  const width = Math.max(...COMMANDS.map(({ name }) => name.length));
  return [
    "highwater <command> [flags]: catch a stream, keep every byte, prove that nothing was lost or counted twice",
    "",
    ...COMMANDS.map(({ name, summary }) => `  ${name.padEnd(width)}  ${summary}`),
    "",
    "Every command takes --data DIR, --json (one JSON document on standard output) and --help.",
    "Exit codes: 0 ok, 1 broken, 2 cannot tell, 64 wrong usage.",
  ].join("\n");
}

function helpOf(command: Command): string {
  const names = Object.keys(command.options);
  const width = Math.max(6, ...names.map((name) => name.length));
  const flag = (name: string, text: string): string => `  --${name.padEnd(width)}  ${text}`;
  return [
    command.summary,
    "",
    `usage: ${command.usage}`,
    "",
    ...names.map((name) => flag(name, command.flagHelp[name] ?? "")),
    flag("data", "data folder; default: the user-data folder of the source's kind"),
    flag("json", "one JSON document on standard output and nothing else"),
    "",
    "examples:",
    ...command.examples.map((example) => `  ${example}`),
  ].join("\n");
}
