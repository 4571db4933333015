import { mkdirSync, readdirSync, readFileSync, renameSync, statSync, writeFileSync } from "node:fs";
import { rename } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { assertSameFile, fileIdentity } from "./file-identity.ts";
import { temporaryFolder } from "./temporary-folder.test-support.ts";
import { writeFileAtomic } from "./write-file-atomic.ts";

const failing = (code: string): Error => Object.assign(new Error(code), { code });

describe("writeFileAtomic", () => {
  test("replaces the content as a whole, for the user alone, and leaves no temporary file", async () => {
    const temporary = temporaryFolder();
    const path = join(temporary.path, "settings.json");
    await writeFileAtomic(path, "old");
    await writeFileAtomic(path, Uint8Array.of(1, 2));
    expect([...readFileSync(path)]).toEqual([1, 2]);
    expect(statSync(path).mode & 0o777).toBe(0o600);
    expect(readdirSync(temporary.path)).toEqual(["settings.json"]);
  });

  test("C41: tries a held file again until it is let go, for at least 5 s", async () => {
    const temporary = temporaryFolder();
    const path = join(temporary.path, "settings.json");
    let waitedMs = 0;
    await writeFileAtomic(path, "new", {
      rename: (from, to) => (waitedMs < 5_000 ? Promise.reject(failing("EPERM")) : rename(from, to)),
      waitMs: (ms) => Promise.resolve((waitedMs += ms)),
    });
    expect(readFileSync(path, "utf8")).toBe("new");
  });

  test.each([
    ["EBUSY", { code: "EBUSY" }],
    ["ENOSPC", { code: "disk-full", message: expect.stringContaining("Free some space") }],
  ])("keeps the old content and cleans up when the rename fails for good (%s)", async (code, thrown) => {
    const temporary = temporaryFolder();
    const path = join(temporary.path, "settings.json");
    writeFileSync(path, "old");
    const deps = { rename: () => Promise.reject(failing(code)), waitMs: () => Promise.resolve() };
    await expect(writeFileAtomic(path, "new", deps)).rejects.toMatchObject(thrown);
    expect(readFileSync(path, "utf8")).toBe("old");
    expect(readdirSync(temporary.path)).toEqual(["settings.json"]);
  });
});

describe("file identity", () => {
  test("stays with the file, and a replaced or missing one is told", () => {
    const temporary = temporaryFolder();
    const path = join(temporary.path, "a");
    writeFileSync(path, "1");
    const identity = fileIdentity(path);
    writeFileSync(path, "2");
    assertSameFile(path, identity);
    renameSync(path, `${path}.old`);
    const check = (): void => assertSameFile(path, identity);
    expect(check).toThrow(expect.objectContaining({ code: "file-replaced" }));
    mkdirSync(path);
    expect(check).toThrow(expect.objectContaining({ code: "file-replaced" }));
  });
});
