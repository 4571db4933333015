import { readdirSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import type { Output } from "./command.ts";
import { COMMANDS } from "./commands/registry.ts";
import { parseDurationMs, parseRate, parseTimeMs, parseWhole } from "./flags.ts";
import { runCommandLine } from "./run-command-line.ts";
import { feedOptionsFrom } from "./run-options.ts";
import { formatTable, safeText } from "./table-text.ts";

function collect(): {
  make: (isJson: boolean) => Output;
  lines: string[];
  notices: string[];
  documents: unknown[];
} {
  const lines: string[] = [];
  const notices: string[] = [];
  const documents: unknown[] = [];
  const make = (isJson: boolean): Output => ({
    isJson,
    isTty: false,
    line: (text) => void (isJson ? undefined : lines.push(text)),
    progress: () => undefined,
    json: (value) => void (isJson ? documents.push(value) : undefined),
    notice: (text) => void notices.push(text),
  });
  return { make, lines, notices, documents };
}

test("every command file is in the registry, with help for each of its flags", () => {
  const files = readdirSync(join(import.meta.dirname, "commands")).filter((name) => name !== "registry.ts");
  expect(COMMANDS.map(({ name }) => `${name}.ts`).toSorted()).toEqual(files.toSorted());
  for (const command of COMMANDS) {
    expect(Object.keys(command.flagHelp).toSorted()).toEqual(Object.keys(command.options).toSorted());
    expect(command.examples.length).toBeGreaterThan(0);
  }
});

test("help is given for the program and for each command, with exit code 0", async () => {
  for (const args of [[], ["--help"], ["help"], ...COMMANDS.map(({ name }) => [name, "--help"])]) {
    const { make, lines } = collect();
    expect(await runCommandLine(args, make)).toBe(0);
    expect(lines.join("\n")).toContain("highwater");
  }
});

test.each([
  [["nonsense"], /unknown command nonsense; known: start/],
  [["run", "--bogus"], /--bogus/],
  [["run", "--data", ""], /--data needs a value/],
  [["run", "--source", "nowhere"], /--source is live, demo/],
  [["run", "--events", "-1"], /events/],
  [["run", "--for", "soon"], /--for is a duration/],
  [["feed", "--faults", "gremlins"], /unknown fault/],
  [["feed", "--manifest", "/nowhere/at/all/sent.ndjson"], /manifest .* cannot be written/],
  [["verify", "/some/folder"], /verify takes flags only, not: \/some\/folder; .*--data/],
  [["sql", "SELECT 1", "--limit", "100001"], /--limit is a whole number from 1 to 100000/],
  [["run", "--source", "demo", "--for", "597h"], /--for is at most 596h/],
  [["sql"], /give the statement in quotes/],
  [["export", "gold.x"], /--to names a file/],
  [["export", "--to", "x.csv"], /give one table/],
  [["sql", "SELECT 1", "--as-of", "x", "--data", "/nowhere"], /--as-of is a whole number/],
])("wrong usage %j ends with 64 and says what would be right", async (args, message) => {
  const { make, notices } = collect();
  expect(await runCommandLine(args, make)).toBe(64);
  expect(notices.join("\n")).toMatch(message);
});

test("with --json an error is one JSON document too", async () => {
  const { make, lines, documents } = collect();
  expect(await runCommandLine(["tables", "--json", "--data", "/nowhere/at/all"], make)).toBe(1);
  expect(lines).toEqual([]);
  expect(documents).toEqual([{ error: expect.objectContaining({ code: "data-folder-unusable" }) }]);
});

test("help and version are one JSON document too, when that is asked for", async () => {
  for (const args of [["--version"], ["help"], ["verify", "--help"]]) {
    const { make, lines, documents } = collect();
    expect(await runCommandLine([...args, "--json"], make)).toBe(0);
    expect({ lines, count: documents.length }).toEqual({ lines: [], count: 1 });
  }
});

test("reads durations, rates, times and whole numbers in every written form", () => {
  expect(["500ms", "60s", "5m", "2h", "1.5s", "7"].map((text) => parseDurationMs("for", text))).toEqual([
    500, 60_000, 300_000, 7_200_000, 1_500, 7_000,
  ]);
  expect(parseRate("rate", "max")).toBe(0);
  expect(parseTimeMs("start", "2026-11-30T12:00:00Z")).toBe(Date.UTC(2026, 10, 30, 12));
  expect(() => parseWhole("limit", "1e3", 1)).toThrow(/whole number/);
  expect(feedOptionsFrom({ rate: "max", faults: "cut,late", "connection-max": "2s" }, 10)).toMatchObject({
    rate: 0,
    events: 10,
    faults: ["cut", "late"],
    connectionMaxMs: 2_000,
  });
});

test("feed text can neither steer the terminal nor reorder a line", () => {
  expect(safeText("a\u001b[31mb\u202ec\n")).toBe("a\u241b[31mb\\u202ec\u240a");
  expect(
    formatTable(
      ["n", "t"],
      [
        [1, "a"],
        [20, null],
      ],
    ),
  ).toBe(" n  t\n──  ────\n 1  a\n20  NULL");
});
