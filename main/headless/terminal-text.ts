import type { SettingsTelemetry } from "#pipeline/protocol/telemetry.ts";
import type { AppStatus, Banner } from "../contract/app-status.ts";
import { settingLines } from "../contract/settings-in-force.ts";
import { type SourceActivity, sourceActivity, waitingWindowRows } from "../contract/source-activity.ts";

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
  if (status.isSourceStopped) return "stopped by the user";
  const connection = status.ingest?.connection;
  if (connection === undefined) return "starting";
  switch (connection.state) {
    case "idle":
      return "idle";
    case "connecting":
      return connection.attempt > 1 ? `connecting (attempt ${connection.attempt})` : "connecting";
    case "open":
      return describeActivity(sourceActivity(status), status.atMs);
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

function describeActivity(activity: SourceActivity | null, nowMs: number): string {
  switch (activity?.kind) {
    case "edits":
      return "receiving";
    case "quiet":
      return `connected, nothing for ${formatDuration(nowMs - activity.sinceMs)}`;
    case "no-edits":
      return activity.sinceMs === null
        ? "alive, no edits"
        : `alive, no edits for ${formatDuration(Math.max(0, nowMs - activity.sinceMs))}`;
    case "nothing-yet":
    case undefined:
      return "connected, nothing received";
  }
}

/** What is to be said of open windows, losses and holes; nothing for what is normal. */
function warnings(status: AppStatus): readonly string[] {
  const { pipeline } = status;
  if (pipeline === null) return [];
  const waiting = waitingWindowRows(status);
  const [holes, losses] = [pipeline.activeHoles.count, pipeline.losses.count];
  return [
    ...(waiting > 0 ? [`${formatCount(waiting)} window rows waiting for a newer event`] : []),
    ...(holes > 0 ? [`holes ${formatCount(holes)}`] : []),
    ...(losses > 0 ? [`places with lost records ${formatCount(losses)}`] : []),
  ];
}

/** A banner in one line. */
export function formatBanner({ title, detail }: Banner): string {
  return `${title}${/[.!?]$/.test(title) ? "" : "."} ${detail}`;
}

/** The settings that decide results, with the offset from which on they hold; and what of the wish was refused. */
export function formatSettings({ pipeline, settingsFile }: AppStatus): readonly string[] {
  const settings = pipeline?.settings ?? null;
  const inForce =
    settings === null ? "settings in force: not known before the first commit" : describeSettings(settings);
  return settingsFile.problem === null ? [inForce] : [inForce, `refused: ${settingsFile.problem}`];
}

function describeSettings(settings: SettingsTelemetry): string {
  const { sinceOffset } = settings;
  const since = sinceOffset === null ? "an unknown offset" : `offset ${formatCount(sinceOffset)}`;
  const lines = settingLines(settings).map(({ name, value }) => `${name} ${value}`);
  return `settings in force since ${since}: ${lines.join(" · ")}`;
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
    parts.push(...warnings(status), `snapshot ${formatCount(pipeline.snapshotId)}`);
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
  lines.push(...formatSettings(status), ...warnings(status));
  const { freshnessP50Ms: p50, freshnessP99Ms: p99 } = pipeline;
  if (p50 !== null && p99 !== null)
    lines.push(`freshness p50 ${formatDuration(p50)} · p99 ${formatDuration(p99)}`);
  return lines;
}
