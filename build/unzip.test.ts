import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { deflateRawSync } from "node:zlib";
import { afterEach, beforeEach, expect, test } from "vitest";
import { unzip } from "./unzip.ts";

type Member = { name: string; text: string; method: 0 | 8; mode?: number };

let folder = "";
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "highwater-unzip-"));
});
afterEach(() => {
  rmSync(folder, { recursive: true, force: true });
});

/** Writes a zip as APPNOTE 4.3 lays it out; check sums are left 0, as unzip does not read them. */
function writeZip(members: readonly Member[]): string {
  const locals: Buffer[] = [];
  const directory: Buffer[] = [];
  let offset = 0;
  for (const { name, text, method, mode = 0o644 } of members) {
    const stored = method === 8 ? deflateRawSync(text) : Buffer.from(text);
    const local = Buffer.alloc(30);
    local.writeUInt32LE(0x04034b50, 0);
    local.writeUInt16LE(name.length, 26);
    locals.push(local, Buffer.from(name), stored);
    const entry = Buffer.alloc(46);
    entry.writeUInt32LE(0x02014b50, 0);
    entry.writeUInt16LE(method, 10);
    entry.writeUInt32LE(stored.length, 20);
    entry.writeUInt32LE(text.length, 24);
    entry.writeUInt16LE(name.length, 28);
    entry.writeUInt32LE((mode << 16) >>> 0, 38);
    entry.writeUInt32LE(offset, 42);
    directory.push(entry, Buffer.from(name));
    offset += 30 + name.length + stored.length;
  }
  const end = Buffer.alloc(22);
  end.writeUInt32LE(0x06054b50, 0);
  end.writeUInt16LE(members.length, 10);
  end.writeUInt32LE(Buffer.concat(directory).length, 12);
  end.writeUInt32LE(offset, 16);
  const path = join(folder, "a.zip");
  writeFileSync(path, Buffer.concat([...locals, ...directory, end]));
  return path;
}

test("unpacks stored and deflated members with their modes, and leaves out what has no place", async () => {
  const long = "deflate me ".repeat(1000);
  const zip = writeZip([
    { name: "App/run", text: "#!", method: 0, mode: 0o755 },
    { name: "App/data/long.txt", text: long, method: 8 },
    { name: "App/empty", text: "", method: 0 },
    { name: "App/secret", text: "no", method: 0 },
  ]);
  const written = await unzip(zip, join(folder, "out"), (name) =>
    name.endsWith("secret") ? null : name.replace("App/", ""),
  );
  expect(written).toBe(3);
  expect(statSync(join(folder, "out/run")).mode & 0o777).toBe(0o755);
  expect(readFileSync(join(folder, "out/data/long.txt"), "utf8")).toBe(long);
  expect(readFileSync(join(folder, "out/empty"), "utf8")).toBe("");
  expect(() => statSync(join(folder, "out/secret"))).toThrow("ENOENT");
});

test("refuses a member that would leave the target folder", async () => {
  const zip = writeZip([{ name: "../evil", text: "x", method: 0 }]);
  await expect(unzip(zip, join(folder, "out"), (name) => name)).rejects.toThrow("leaves the folder");
});

test("refuses a file that is no zip or is cut short", async () => {
  const zip = writeZip([{ name: "a", text: "x".repeat(100), method: 0 }]);
  const cut = join(folder, "cut.zip");
  writeFileSync(cut, readFileSync(zip).subarray(0, 120));
  await expect(unzip(cut, join(folder, "out"), (name) => name)).rejects.toThrow("not a zip file");
});
