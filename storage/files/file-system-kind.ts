import { execFileSync } from "node:child_process";
import { readFileSync, realpathSync } from "node:fs";
import { dirname, resolve } from "node:path";

/** Where a path lies: the mount point and the file system's name as the system spells it. */
export type Mount = { readonly point: string; readonly type: string };

/** Why a folder must not hold SQLite databases in WAL mode. */
export type FolderHazard =
  | { readonly kind: "network"; readonly fileSystem: string }
  | { readonly kind: "cloud-synced"; readonly service: string };

/**
 * File systems whose locks or shared memory do not work between machines (SQLite "Use Of Shared Memory": WAL does not
 * work over a network file system). Names as in /proc/mounts and macOS `mount`.
 */
const NETWORK_TYPES =
  /^(nfs\d?|cifs|smb\d?|smbfs|9p|afs|afpfs|webdav|davfs\d?|ncpfs|ceph|glusterfs|lustre|beegfs|gpfs|vboxsf|prl_fs|vmhgfs|fuse\.(sshfs|rclone|s3fs|gcsfuse|goofys|glusterfs|ceph|davfs\d?|smbnetfs|curlftpfs|vmhgfs-fuse|mergerfs-nfs|juicefs)|macfuse|osxfuse)$/;

/** Folder names that sync clients use; the client copies database files one by one while they change. */
const CLOUD_FOLDERS: readonly (readonly [RegExp, string])[] = [
  [/^OneDrive( - .*)?$/i, "OneDrive"],
  [/^Dropbox( \(.*\))?$/i, "Dropbox"],
  [/^(Google Drive|GoogleDrive-.*|My Drive)$/i, "Google Drive"],
  [/^(Mobile Documents|iCloud ?Drive)$/i, "iCloud Drive"],
  [/^CloudStorage$/, "a cloud storage folder"],
  [/^(Nextcloud|ownCloud|pCloudDrive|pCloud Drive|Syncthing|Sync|MEGA|Box Sync|Box)$/, "a synced folder"],
];

/** Judges a folder by its path and mount alone, so that any answer of a system can be tried anywhere. */
export function findHazard(path: string, mount: Mount | null): FolderHazard | null {
  if (/^(\\\\|\/\/)[^\\/?.]/.test(path)) return { kind: "network", fileSystem: "a network share" };
  // A root of type 9p is the own disk of a sandbox, and there is no other to choose.
  if (mount !== null && NETWORK_TYPES.test(mount.type) && mount.point !== "/")
    return { kind: "network", fileSystem: mount.type };
  for (const segment of path.split(/[\\/]/)) {
    const service = CLOUD_FOLDERS.find(([pattern]) => pattern.test(segment));
    if (service !== undefined) return { kind: "cloud-synced", service: service[1] };
  }
  return null;
}

/** The mount that holds `path`: the longest mount point that is a prefix, the last of equal ones (it lies on top). */
export function findMount(path: string, mounts: readonly Mount[]): Mount | null {
  let best: Mount | null = null;
  for (const mount of mounts) {
    const inside =
      mount.point === "/" || path === mount.point || path.startsWith(`${mount.point.replace(/\/$/, "")}/`);
    if (inside && (best === null || mount.point.length >= best.point.length)) best = mount;
  }
  return best;
}

/** Parses /proc/mounts (`device point type options …`, blanks in octal as proc(5) says). */
export function parseProcMounts(text: string): readonly Mount[] {
  return text.split("\n").flatMap((line) => {
    const [, point, type] = line.split(" ");
    if (point === undefined || type === undefined) return [];
    const plain = point.replace(/\\([0-7]{3})/g, (_all, octal: string) =>
      String.fromCharCode(Number.parseInt(octal, 8)),
    );
    return [{ point: plain, type }];
  });
}

/** Parses the output of macOS `mount` (`device on point (type, option, …)`). */
export function parseMountCommand(text: string): readonly Mount[] {
  return text.split("\n").flatMap((line) => {
    const match = /^.* on (\/.*) \(([^,)]+)/.exec(line);
    const [, point, type] = match ?? [];
    return point === undefined || type === undefined ? [] : [{ point, type }];
  });
}

/** The mount of `path` on this machine; null where the system does not say. */
export function readMount(path: string): Mount | null {
  try {
    if (process.platform === "linux")
      return findMount(path, parseProcMounts(readFileSync("/proc/mounts", "utf8")));
    if (process.platform === "darwin")
      return findMount(
        path,
        parseMountCommand(execFileSync("/sbin/mount", { encoding: "utf8", timeout: 5_000 })),
      );
  } catch {
    // Unknown is not a hazard: refusing every folder of such a system would help nobody.
  }
  return null;
}

/** `path` with the symbolic links of its existing part resolved, so that a link into a share is seen as the share. */
export function resolveExisting(path: string): string {
  const full = resolve(path);
  try {
    return realpathSync(full);
  } catch {
    const parent = dirname(full);
    return parent === full
      ? full
      : resolve(resolveExisting(parent), full.slice(parent.length).replace(/^[\\/]+/, ""));
  }
}
