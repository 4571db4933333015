import type { AppStatus } from "../contract/app-status.ts";

const COUNT = new Intl.NumberFormat("en-US");

/** A count with separators. */
export function formatCount(value: number): string {
  return COUNT.format(value);
}

/** A duration with one unit that fits: `180 ms`, `2.1 s`, `4 m 10 s`. */
export function formatDuration(ms: number): string {
  if (ms < 1_000) return `${Math.round(ms)} ms`;
  if (ms < 60_000) return `${(ms / 1_000).toFixed(1)} s`;
  return `${Math.floor(ms / 60_000)} m ${Math.round((ms % 60_000) / 1_000)} s`;
}

/** What the source does, in a few words. */
export function describeSource(status: AppStatus): string {
  const connection = status.ingest?.connection;
  if (connection === undefined) return "starting";
  switch (connection.state) {
    case "idle":
      return "idle";
    case "connecting":
      return connection.attempt > 1 ? `connecting (attempt ${connection.attempt})` : "connecting";
    case "open":
      return connection.receiving ? "receiving" : "connected, nothing received";
    case "backing-off":
      return `retrying in ${formatDuration(Math.max(0, connection.untilMs - status.atMs))}: ${connection.reason}`;
    case "paused":
      return "paused";
    case "ended":
      return "at its end";
    case "failed":
      return `stopped: ${connection.reason}`;
  }
}

/** The live status line of the terminal: every number with its unit, the snapshot it is from at the end. */
export function formatStatusLine(status: AppStatus): string {
  const { ingest, pipeline } = status;
  const parts = [`${status.mode} · ${describeSource(status)}`];
  if (ingest !== null) parts.push(`${ingest.recordsPerSecond.toFixed(1)}/s`);
  if (pipeline !== null) {
    const ledger = (hop: string): string => formatCount(pipeline.ledger[hop] ?? 0);
    parts.push(
      `lag ${formatCount(Math.max(0, (ingest?.head ?? pipeline.head) - pipeline.checkpoint))}`,
      `bronze ${ledger("bronze")}`,
      `dead ${ledger("dead_letter")}`,
      `dup ${ledger("duplicate")}`,
      `late ${ledger("late")}`,
    );
    if (pipeline.freshnessMs !== null) parts.push(`fresh ${formatDuration(pipeline.freshnessMs)}`);
    parts.push(`snapshot ${formatCount(pipeline.snapshotId)}`);
  }
  const away = status.workers.filter(
    ({ phase }) => phase.state === "backing-off" || phase.state === "gave-up",
  );
  for (const worker of away) parts.push(`${worker.name} ${worker.phase.state}`);
  return parts.join(" · ");
}

/** The summary after a run. */
export function formatSummary(status: AppStatus, elapsedMs: number): readonly string[] {
  const { pipeline, ingest } = status;
  const lines = [
    `${status.mode} feed, source ${status.source}, ${formatDuration(elapsedMs)}, data in ${status.dataFolder}`,
  ];
  if (pipeline === null) return [...lines, "nothing was committed"];
  const { ledger } = pipeline;
  const hops = ["received", "filtered", "dead_letter", "duplicate", "repeat", "bronze", "late"];
  lines.push(hops.map((hop) => `${hop.replace("_", " ")} ${formatCount(ledger[hop] ?? 0)}`).join(" · "));
  // The two workers report at different moments; a checkpoint is never ahead of the log.
  const head = Math.max(ingest?.head ?? 0, pipeline.head, pipeline.checkpoint);
  lines.push(
    `checkpoint ${formatCount(pipeline.checkpoint)} of head ${formatCount(head)} · snapshot ${formatCount(pipeline.snapshotId)}`,
  );
  const { freshnessP50Ms: p50, freshnessP99Ms: p99 } = pipeline;
  if (p50 !== null && p99 !== null)
    lines.push(`freshness p50 ${formatDuration(p50)} · p99 ${formatDuration(p99)}`);
  return lines;
}
