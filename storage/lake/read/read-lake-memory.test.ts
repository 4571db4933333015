import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import Database from "better-sqlite3";
import { afterEach, beforeEach, expect, test } from "vitest";
import { toSourceName } from "../../model/brand.ts";
import { readLakeMemory } from "./read-lake-memory.ts";

const source = toSourceName("demo");
const nothing = { checkpoint: 0, sourceCursor: null, maxEventTimeMs: null, settings: null };
let folder: string;
beforeEach(() => (folder = mkdtempSync(join(tmpdir(), "hw-lake-memory-"))));
afterEach(() => rmSync(folder, { recursive: true, force: true }));

test("a folder without a lake, or a lake without this source, remembers nothing", () => {
  const path = join(folder, "catalog.sqlite");
  expect(readLakeMemory(path, source)).toEqual(nothing);
  new Database(path).exec("CREATE TABLE other (x)").close();
  expect(readLakeMemory(path, source)).toEqual(nothing);
});

test("reads checkpoint, cursor and settings of its own source only; a lake of an older build has no settings", () => {
  const path = join(folder, "catalog.sqlite");
  new Database(path)
    .exec(
      `CREATE TABLE hw_state (source TEXT, checkpoint BIGINT, source_cursor TEXT, max_event_time_us BIGINT, extra TEXT);
       INSERT INTO hw_state VALUES ('demo', 47, '[7]', 5001, '{"settings":{"a":1}}'), ('other', 99, NULL, NULL, '{}')`,
    )
    .close();
  expect(readLakeMemory(path, source)).toEqual({
    checkpoint: 47,
    sourceCursor: "[7]",
    maxEventTimeMs: 5,
    settings: '{"a":1}',
  });
  expect(readLakeMemory(path, toSourceName("other"))).toEqual({ ...nothing, checkpoint: 99 });
});

test("a file that is no database is told and not taken for an empty lake", () => {
  expect(() => readLakeMemory(folder, source)).toThrow(/the catalog can not be read/);
});
