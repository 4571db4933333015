import { isWriterAlive, readWriterRecord, type WriterRecord } from "#storage/files/writer-record.ts";

/** Orphans end by themselves within 2 s of their parent's death; one that does not is stopped or hanging. */
const GRACE_MS = 3_000;
const POLL_MS = 50;

/**
 * Waits for the writing workers of an earlier run and ends those that stay: only when pid *and* process start time are
 * the recorded ones, so that a reused pid is never hit. Returns the pids that had to be killed.
 */
export async function endOrphans(lockPaths: readonly string[]): Promise<readonly number[]> {
  const killed: number[] = [];
  for (const lockPath of lockPaths) {
    const writer = readWriterRecord(lockPath);
    if (writer === null || (await isGoneWithin(writer, GRACE_MS))) continue;
    try {
      process.kill(writer.pid, "SIGKILL");
      killed.push(writer.pid);
    } catch {
      // It ended between the look and the kill.
    }
    await isGoneWithin(writer, GRACE_MS);
  }
  return killed;
}

async function isGoneWithin(writer: WriterRecord, limitMs: number): Promise<boolean> {
  const until = performance.now() + limitMs;
  while (isWriterAlive(writer)) {
    if (performance.now() > until) return false;
    await new Promise((resolve) => setTimeout(resolve, POLL_MS));
  }
  return true;
}
