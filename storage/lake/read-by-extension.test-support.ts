import { spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { text } from "node:stream/consumers";
import { fileURLToPath } from "node:url";

const READER = fileURLToPath(import.meta.resolve("./ducklake-reader.test-support.ts"));

/** What the extension read of one table at one snapshot. */
export type ReadLine = { version: number; table: string; hash: string; rows: number };

/** Starts a process that reads these tables with the real extension; `versions` as in ducklake-reader.test-support.ts. */
export function startReader(catalogPath: string, versions: string, tables: "test" | "lake"): ChildProcess {
  return spawn(process.execPath, [READER, catalogPath, versions, tables], {
    stdio: ["pipe", "pipe", "pipe"],
  });
}

/** Everything that it read. Throws what it failed with. */
export async function readLines(reader: ChildProcess): Promise<readonly ReadLine[]> {
  const { stdout, stderr } = reader;
  if (stdout === null || stderr === null) throw new Error("the reader has no output");
  const exited = once(reader, "exit");
  const [output, errors] = await Promise.all([text(stdout), text(stderr)]);
  await exited;
  if (reader.exitCode !== 0) throw new Error(`the ducklake extension could not read the lake: ${errors}`);
  return output
    .split("\n")
    .filter((line) => line !== "")
    .map((line): ReadLine => {
      const parsed: unknown = JSON.parse(line);
      return isReadLine(parsed) ? parsed : { version: -1, table: line, hash: "", rows: -1 };
    });
}

/** What the real extension reads at these snapshots, in the form of `recountAll`. */
export async function readByExtension(
  catalogPath: string,
  ids: readonly number[],
  tables: "test" | "lake",
): Promise<Map<string, string>> {
  const lines = await readLines(startReader(catalogPath, ids.join(","), tables));
  return new Map(lines.map((line) => [`${line.version}/${line.table}`, `${line.hash}/${line.rows}`]));
}

function isReadLine(value: unknown): value is ReadLine {
  return (
    typeof value === "object" && value !== null && "version" in value && "hash" in value && "table" in value
  );
}
