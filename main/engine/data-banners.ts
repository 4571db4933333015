import type { Banner } from "../contract/app-status.ts";
import type { BannerInput } from "./banner-input.ts";

/** The log cannot be written: the source waits. */
export function logHeld({ ingest }: BannerInput): Banner | null {
  if (ingest === null || ingest.logHeld === null) return null;
  return {
    id: "log-held",
    tone: "bad",
    title: `The log cannot be written since ${timeOf(ingest.logHeld.sinceMs)}`,
    detail: `${sentence(ingest.logHeld.reason)} The source waits and nothing is dropped; it goes on by itself as soon as the log can be written.`,
    action: null,
  };
}

/** Commits wait (C18). */
export function catalogHeld({ pipeline }: BannerInput): Banner | null {
  if (pipeline === null || pipeline.catalogHeldSinceMs === null) return null;
  const since = timeOf(pipeline.catalogHeldSinceMs);
  if (pipeline.catalogHeldBy === "disk-full") {
    return {
      id: "disk-full",
      tone: "bad",
      title: `The disk is full since ${since}`,
      detail: "Tables wait and lose nothing. Free some space; they go on by themselves.",
      action: null,
    };
  }
  return {
    id: "catalog-held",
    tone: "warn",
    title: `Another program holds the catalog since ${since}`,
    detail:
      "Records are still kept in the log; tables go on by themselves as soon as it lets go of lake/catalog.sqlite.",
    action: null,
  };
}

/** The catalog lost its newest commits. */
export function catalogWentBack({ findings: { wentBack } }: BannerInput): Banner | null {
  if (wentBack === null) return null;
  const { foundSnapshotId, seenSnapshotId, continuesAt, setAside } = wentBack;
  const moved =
    setAside === null
      ? ""
      : ` ${setAside.files} of its Parquet files were moved to ${setAside.to}; delete them once \`highwater verify\` is satisfied.`;
  return {
    id: "catalog-went-back",
    tone: "warn",
    title: "The catalog is older than it was",
    detail: `Its newest snapshot was ${foundSnapshotId}, but ${seenSnapshotId} had been seen: commits in between are gone (an old copy, or a lost -wal file). Their records are processed again from the log; snapshots go on at ${continuesAt}, so no number is given twice. Export again what came from a snapshot above ${foundSnapshotId}.${moved}`,
    action: null,
  };
}

/** Broken segments were set aside in this run. */
export function quarantined({ findings }: BannerInput): Banner | null {
  const newest = findings.quarantined.at(-1);
  if (newest === undefined) return null;
  const count = findings.quarantined.length;
  const which = count === 1 ? "A damaged part of the log was" : `${count} damaged parts of the log were`;
  return {
    id: "quarantined",
    tone: "warn",
    title: `${which} set aside`,
    detail: `From offset ${newest.fromOffset} on (${newest.reason}); kept in ${newest.movedTo}, never deleted. What the tables did not have yet is asked for again. Check the disk, then run \`highwater verify\`.`,
    action: null,
  };
}

/** Losses that this run found; older ones stand in the status and in `verify`. */
export function losses({ pipeline, findings: { startCheckpoint } }: BannerInput): Banner | null {
  if (pipeline === null || startCheckpoint === null) return null;
  const news = pipeline.losses.newest.filter(({ changedAt }) => changedAt > startCheckpoint);
  const newest = news.at(-1);
  if (newest === undefined) return null;
  const { fromOffset, toOffset } = newest;
  const where =
    fromOffset === toOffset ? `At offset ${fromOffset}` : `At offsets ${fromOffset} to ${toOffset}`;
  const more = news.length > 1 ? ` and at ${news.length - 1} more places` : "";
  return {
    id: "losses",
    tone: "warn",
    title: "Records may be missing",
    detail: `${where}${more}: ${sentence(newest.reason)} Run \`highwater verify\`: it lists every place, and says "cannot tell" for them.`,
    action: null,
  };
}

/** Holes in topics that carry edits. Those of the idle data centre are normal and close by themselves (C01). */
export function holes({ pipeline }: BannerInput): Banner | null {
  const newest = pipeline?.activeHoles.newest.at(-1);
  if (pipeline === null || newest === undefined) return null;
  const { count } = pipeline.activeHoles;
  const numbers =
    newest.fromOffset === newest.toOffset
      ? `${newest.fromOffset}`
      : `${newest.fromOffset} to ${newest.toOffset}`;
  const more = count > 1 ? ` and ${count - 1} more` : "";
  const next =
    newest.state === "open"
      ? "They are asked for when the source connects again; pause and resume it to ask now."
      : "The source was asked and has not sent them; `highwater verify` says which.";
  return {
    id: "holes",
    tone: "warn",
    title: count === 1 ? "The stream has a hole" : `The stream has ${count} holes`,
    detail: `Numbers ${numbers} of ${newest.topic}${more} did not arrive. ${next}`,
    action: null,
  };
}

function timeOf(ms: number): string {
  // As every screen writes it: local time, 24 hours.
  return new Date(ms).toLocaleTimeString("en-GB");
}

function sentence(text: string): string {
  const whole = text.charAt(0).toUpperCase() + text.slice(1);
  return /[.!?]$/.test(whole) ? whole : `${whole}.`;
}
