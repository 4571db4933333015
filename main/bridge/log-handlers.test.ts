import { appendFile, mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { temporaryFolder } from "#storage/files/temporary-folder.test-support.ts";
import { createLogHandlers } from "./log-handlers.ts";
import { exampleStatus } from "./status.test-support.ts";

async function setUp() {
  const dataFolder = temporaryFolder().path;
  await mkdir(join(dataFolder, "logs"));
  const handlers = createLogHandlers({ status: () => exampleStatus({ dataFolder }) });
  const read = (fromByte: number | null) => handlers["logs.read"]({ name: "ingest", fromByte });
  return { read, file: join(dataFolder, "logs", "ingest.log") };
}

test("a log that nobody wrote yet is empty, not an error", async () => {
  const { read } = await setUp();
  expect(await read(null)).toMatchObject({ text: "", toByte: 0 });
});

test("reads the last whole lines first, then only what came since, and waits for the end of a line", async () => {
  const { read, file } = await setUp();
  await writeFile(file, "one\ntwo\nthr");
  const first = await read(null);
  expect(first).toMatchObject({ text: "one\ntwo\n", toByte: 8 });
  await appendFile(file, "ee\nfour\n");
  expect(await read(first.toByte)).toMatchObject({ text: "three\nfour\n", continues: true });
});

test("begins at a whole line of the tail of a large file", async () => {
  const { read, file } = await setUp();
  await writeFile(file, Array.from({ length: 20_000 }, (_, at) => `line ${at}\n`).join(""));
  const { text } = await read(null);
  expect(text.length).toBeLessThanOrEqual(65_536);
  expect(text).toMatch(/^line \d+\n/);
  expect(text.endsWith("line 19999\n")).toBe(true);
});

test("a rotated file is read from its own beginning, and says that it does not continue", async () => {
  const { read, file } = await setUp();
  await writeFile(file, "fresh\n");
  expect(await read(5_000)).toMatchObject({ text: "fresh\n", continues: false });
});
