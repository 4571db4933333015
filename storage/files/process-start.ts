import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";

/** Bounds the external command that tells a start time where there is no /proc. */
const COMMAND_TIMEOUT_MS = 5_000;

let bootId: string | null = null;

/**
 * A text that is equal exactly for the same start of the same process, or null when no living process has that pid (a
 * zombie is not living). pid and this text together name one process for ever, also after the pid was given away.
 * Linux: boot id and field 22 of /proc/<pid>/stat (clock ticks since boot); elsewhere what the system's tool prints.
 */
export function readProcessStart(pid: number): string | null {
  if (!Number.isSafeInteger(pid) || pid <= 0) return null;
  if (process.platform === "linux") return readFromProc(pid);
  if (process.platform === "win32") {
    const script = `(Get-Process -Id ${pid}).StartTime.ToFileTimeUtc()`;
    return runForLine("powershell.exe", ["-NoProfile", "-NonInteractive", "-Command", script]);
  }
  return runForLine("ps", ["-o", "lstart=", "-p", String(pid)]);
}

/** Start of this process, in the form of {@link readProcessStart}. */
export function ownProcessStart(): string {
  own ??= readProcessStart(process.pid) ?? `unknown-${Date.now()}`;
  return own;
}

let own: string | null = null;

function readFromProc(pid: number): string | null {
  let stat: string;
  try {
    stat = readFileSync(`/proc/${pid}/stat`, "latin1");
  } catch {
    // The file is there exactly as long as the process is.
    return null;
  }
  return parseProcStat(stat, readBootId());
}

/**
 * Start from the text of /proc/<pid>/stat. The command name in field 2 may hold spaces and brackets, so fields are
 * counted from the last `)`: state is then the first, start time (proc(5) field 22) the twentieth.
 */
export function parseProcStat(stat: string, boot: string): string | null {
  const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
  const [state] = fields;
  const startTicks = fields[19];
  if (state === undefined || startTicks === undefined || state === "Z" || state === "X") return null;
  return `${boot}-${startTicks}`;
}

/** Ticks since boot repeat after a reboot, so the boot's own id stands before them. */
function readBootId(): string {
  if (bootId !== null) return bootId;
  try {
    bootId = readFileSync("/proc/sys/kernel/random/boot_id", "latin1").trim();
  } catch {
    // A sandbox may hide it; ticks alone still tell two processes of one boot apart.
    bootId = "boot";
  }
  return bootId;
}

function runForLine(command: string, args: readonly string[]): string | null {
  try {
    const output = execFileSync(command, args, {
      encoding: "utf8",
      timeout: COMMAND_TIMEOUT_MS,
      stdio: ["ignore", "pipe", "ignore"],
      windowsHide: true,
    });
    const line = output.trim();
    return line === "" ? null : line;
  } catch {
    // Both tools end with an error when no process has the pid.
    return null;
  }
}
