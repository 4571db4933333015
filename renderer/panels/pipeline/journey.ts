import type { AppStatus } from "#main/contract/app-status.ts";
import { formatBytes, formatCount, formatDuration, formatRate } from "#renderer/components/format.ts";
import { describeSource, type Tone } from "#renderer/workbench/status-items.ts";

/** A station of a record's way: its number and what it says of it. */
export type Station = {
  readonly name: string;
  readonly value: string;
  readonly word: string;
  readonly tone: Tone;
};

function share(part: number, whole: number): string {
  return whole === 0 ? "none yet" : `${((part / whole) * 100).toFixed(3)} %`;
}

function plural(count: number, one: string): string {
  return `${formatCount(count)} ${one}${count === 1 ? "" : "s"}`;
}

/** Records in the log that are not in the lake yet. */
export function lagOf({ ingest, pipeline }: AppStatus): number {
  return Math.max(0, Math.max(ingest?.head ?? 0, pipeline?.head ?? 0) - (pipeline?.checkpoint ?? 0));
}

function arrivals(status: AppStatus): Station[] {
  const { ingest } = status;
  const { word, tone } = describeSource(status);
  const connection = ingest?.connection ?? null;
  const open =
    connection?.state === "open" ? ` · open ${formatDuration(status.atMs - connection.sinceMs)}` : "";
  const rate = ingest === null ? "—" : formatRate(ingest.recordsPerSecond);
  const log =
    ingest === null
      ? "not open yet"
      : `head · ${formatBytes(ingest.logBytes)} · ${plural(ingest.segments, "segment")}`;
  const logTone: Tone = ingest === null ? "none" : ingest.logHeld === null ? "ok" : "bad";
  return [
    { name: "Source", value: rate, word: `${word}${open}`, tone },
    { name: "Log", value: ingest === null ? "—" : formatCount(ingest.head), word: log, tone: logTone },
  ];
}

/** The way of a record, station by station; ledger numbers are those of the snapshot at its end. */
export function journey(status: AppStatus): readonly Station[] {
  const { pipeline } = status;
  if (pipeline === null) {
    const waiting = ["Checks", "Dedup", "Lake", "Snapshot"];
    return [
      ...arrivals(status),
      ...waiting.map((name): Station => ({ name, value: "—", word: "with the first commit", tone: "none" })),
    ];
  }
  const { ledger, checkpoint, snapshotId, commitTimeMs, catalogHeldSinceMs, settings } = pipeline;
  const letters = ledger["dead_letter"] ?? 0;
  const horizon = settings === null ? "" : ` · horizon ${formatDuration(settings.inForce.dedupHorizonMs)}`;
  const age =
    commitTimeMs === null
      ? "no commit by this process yet"
      : `${formatDuration(Math.max(0, status.atMs - commitTimeMs))} ago`;
  const lakeTone: Tone = catalogHeldSinceMs === null ? "ok" : "warn";
  return [
    ...arrivals(status),
    {
      name: "Checks",
      value: formatCount(letters),
      word: `dead ${letters === 1 ? "letter" : "letters"} · ${share(letters, ledger["received"] ?? 0)}`,
      tone: letters > 0 ? "warn" : "ok",
    },
    { name: "Dedup", value: formatCount(ledger["duplicate"] ?? 0), word: `duplicates${horizon}`, tone: "ok" },
    {
      name: "Lake",
      value: formatCount(checkpoint),
      word: `checkpoint · lag ${formatCount(lagOf(status))}`,
      tone: lakeTone,
    },
    { name: "Snapshot", value: `#${formatCount(snapshotId)}`, word: age, tone: lakeTone },
  ];
}
