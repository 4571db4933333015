import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import Database from "better-sqlite3";
import { afterEach, beforeEach, expect, test } from "vitest";
import { toSourceName } from "../../model/brand.ts";
import { readCheckpoint } from "./read-checkpoint.ts";

const source = toSourceName("demo");
let folder: string;
beforeEach(() => (folder = mkdtempSync(join(tmpdir(), "hw-checkpoint-"))));
afterEach(() => rmSync(folder, { recursive: true, force: true }));

test("a folder without a lake, or a lake without this source, has checkpoint 0", () => {
  const path = join(folder, "catalog.sqlite");
  expect(readCheckpoint(path, source)).toBe(0);
  new Database(path).exec("CREATE TABLE other (x)").close();
  expect(readCheckpoint(path, source)).toBe(0);
});

test("reads the checkpoint of its own source only", () => {
  const path = join(folder, "catalog.sqlite");
  new Database(path)
    .exec(
      "CREATE TABLE hw_state (source TEXT, checkpoint BIGINT); INSERT INTO hw_state VALUES ('demo', 47), ('other', 99)",
    )
    .close();
  expect(readCheckpoint(path, source)).toBe(47);
});

test("a file that is no database is told and not taken for an empty lake", () => {
  expect(() => readCheckpoint(folder, source)).toThrow(/the catalog can not be read/);
});
