import { describe, expect, test } from "vitest";
import { findHazard, findMount, parseMountCommand, parseProcMounts } from "./file-system-kind.ts";

const mounts = parseProcMounts(
  "/dev/sda1 / ext4 rw 0 0\nserver:/x /mnt/my\\040share nfs4 rw 0 0\n/dev/sdb1 /mnt ext4 rw 0 0\ntmpfs /mnt tmpfs rw 0 0\n",
);

describe("file system of a folder", () => {
  test("is the longest mount point above it, the topmost of two on one point", () => {
    expect(findMount("/mnt/my share/data", mounts)?.type).toBe("nfs4");
    expect(findMount("/mnt/my shareholders", mounts)?.type).toBe("tmpfs");
    expect(findMount("/home/me", mounts)?.type).toBe("ext4");
    expect(findMount("/home/me", [])).toBeNull();
  });

  test("is read from macOS mount output too", () => {
    const found = parseMountCommand(
      "//me@nas/data on /Volumes/data (smbfs, nodev, nosuid)\n/dev/disk1 on / (apfs, local)\n",
    );
    expect(findMount("/Volumes/data/x", found)?.type).toBe("smbfs");
  });

  test("is no hazard where it is local, unknown, or a sandbox's own root", () => {
    expect(findHazard("/home/me", { point: "/home", type: "btrfs" })).toBeNull();
    expect(findHazard("/home/me", null)).toBeNull();
    expect(findHazard("/home/me", { point: "/", type: "9p" })).toBeNull();
  });

  test("is a hazard for a share of Windows by its name alone", () => {
    expect(findHazard(String.raw`\\nas\data`, null)).toMatchObject({ kind: "network" });
    expect(findHazard(String.raw`\\?\C:\data`, null)).toBeNull();
    expect(findHazard(String.raw`C:\Users\me\OneDrive\hw`, null)).toMatchObject({ service: "OneDrive" });
  });
});
