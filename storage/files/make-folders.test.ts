import { mkdtempSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { makeFolders } from "./make-folders.ts";

let folder: string;
beforeEach(() => (folder = mkdtempSync(join(tmpdir(), "hw-folders-"))));
afterEach(() => rmSync(folder, { recursive: true, force: true }));

test("makes what is missing with the mode asked for, names the first one made, and is content the second time", () => {
  const deep = join(folder, "a", "b", "c");
  expect(makeFolders(deep, 0o700)).toBe(join(folder, "a"));
  expect(statSync(join(folder, "a")).mode & 0o777).toBe(0o700);
  expect(makeFolders(deep, 0o700)).toBeUndefined();
});

test("a file where a folder is needed is the system's error", () => {
  writeFileSync(join(folder, "file"), "");
  expect(() => makeFolders(join(folder, "file"), 0o700)).toThrow(/EEXIST/);
  expect(() => makeFolders(join(folder, "file", "below"), 0o700)).toThrow(/ENOTDIR/);
});

test.runIf(process.platform === "linux")(
  "C34: a home where nothing can be made ends in an error and not in an endless loop (only on Linux)",
  () => {
    expect(() => makeFolders("/proc/nothing/at/all", 0o700)).toThrow(/ENOENT/);
  },
);
