import { chmodSync, existsSync, mkdirSync, readdirSync, statSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { findFolderHazard, openDataFolder } from "./open-data-folder.ts";
import { temporaryFolder } from "./temporary-folder.test-support.ts";

const local = { mountOf: () => ({ point: "/", type: "ext4" }) };

describe("openDataFolder", () => {
  test("creates the layout for the user alone", () => {
    const temporary = temporaryFolder();
    const folder = openDataFolder(join(temporary.path, "deep/er"), local);
    for (const path of [
      folder.root,
      folder.logRoot,
      folder.lakeData,
      folder.leases,
      folder.tmp,
      folder.workspace,
    ])
      expect(statSync(path).mode & 0o777).toBe(0o700);
    expect(openDataFolder(`${folder.root}/./`, local).root).toBe(folder.root);
  });

  test("empties tmp and touches nothing else", () => {
    const temporary = temporaryFolder();
    const folder = openDataFolder(temporary.path, local);
    mkdirSync(join(folder.tmp, "spill"));
    for (const path of [
      join(folder.tmp, "spill/a"),
      join(folder.quarantine, "kept"),
      join(folder.lakeData, "x.parquet"),
    ])
      writeFileSync(path, "x");
    openDataFolder(temporary.path, local);
    expect(readdirSync(folder.tmp)).toEqual([]);
    expect(readdirSync(folder.quarantine)).toEqual(["kept"]);
    expect(existsSync(join(folder.lakeData, "x.parquet"))).toBe(true);
  });

  test("names the folder and the remedy when it cannot be used", () => {
    const temporary = temporaryFolder();
    const blocked = join(temporary.path, "file");
    writeFileSync(blocked, "");
    expect(() => openDataFolder(join(blocked, "data"), local)).toThrow(
      expect.objectContaining({ code: "data-folder-unusable" }),
    );
    expect(() => openDataFolder(join(blocked, "data"), local)).toThrow(/file.*--data DIR/);
  });

  // Windows has no such permission on a folder; root may write everywhere, so it acts as nobody here.
  test.skipIf(process.platform === "win32")("refuses a folder without write permission (C34)", () => {
    const temporary = temporaryFolder();
    const home = join(temporary.path, "home");
    mkdirSync(home);
    chmodSync(temporary.path, 0o755);
    chmodSync(home, 0o555);
    const isRoot = process.geteuid?.() === 0;
    if (isRoot) process.seteuid?.(65_534);
    try {
      expect(() => openDataFolder(join(home, "data"), local)).toThrow(/not writable.*--data DIR/);
    } finally {
      if (isRoot) process.seteuid?.(0);
      chmodSync(home, 0o700);
    }
  });

  test.each(["nfs4", "cifs", "fuse.sshfs", "9p"])(
    "C19: refuses %s before the first write and names it",
    (type) => {
      const temporary = temporaryFolder();
      const root = join(temporary.path, "data");
      const mountOf = (): { point: string; type: string } => ({ point: temporary.path, type });
      expect(() => openDataFolder(root, { mountOf })).toThrow(
        expect.objectContaining({ code: "data-folder-network" }),
      );
      expect(() => openDataFolder(root, { mountOf })).toThrow(type);
      expect(existsSync(root)).toBe(false);
      expect(openDataFolder(root, { mountOf, acceptHazard: true }).root).toBe(root);
    },
  );

  test("C19: refuses a folder inside OneDrive or Dropbox, also through a symbolic link", () => {
    const temporary = temporaryFolder();
    for (const name of ["OneDrive - Company", "Dropbox"]) {
      mkdirSync(join(temporary.path, name));
      symlinkSync(join(temporary.path, name), join(temporary.path, `link-${name.length}`));
      const through = join(temporary.path, `link-${name.length}`, "data");
      expect(findFolderHazard(through, local.mountOf)).toMatchObject({ kind: "cloud-synced" });
      expect(() => openDataFolder(through, local)).toThrow(
        expect.objectContaining({ code: "data-folder-network" }),
      );
    }
    expect(findFolderHazard(join(temporary.path, "dropbox-clone"), local.mountOf)).toBeNull();
  });
});
