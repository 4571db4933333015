import type { AppStatus } from "#main/contract/app-status.ts";
import {
  formatBytes,
  formatCount,
  formatDuration,
  formatRate,
  formatTime,
} from "#renderer/components/format.ts";
import type { RoomId } from "#renderer/panels/rooms.ts";
import { describeSource, type Tone } from "#renderer/workbench/status-items.ts";

/** A line of a station: one side of the hop, or a way out of the journey at its side. */
export type Passage = {
  readonly label: string;
  readonly count: string;
  /** Records a second over the last 5 s; empty where nobody counts them. */
  readonly rate: string;
  /** `way`: the main stream; `exit`: leaves it here; `fact`: neither. */
  readonly kind: "way" | "exit" | "fact";
  readonly tone: Tone | "late";
  readonly hint: string;
  /** Where the records can be seen. */
  readonly room: RoomId | null;
};

/** A station of a record's way: its number, what it says of it, and both of its sides. */
export type Station = {
  readonly name: string;
  readonly value: string;
  readonly word: string;
  readonly tone: Tone;
  readonly passages: readonly Passage[];
  readonly room: RoomId | null;
};

type Pipeline = NonNullable<AppStatus["pipeline"]>;

/** Records in the log that are not in the lake yet. */
export function lagOf({ ingest, pipeline }: AppStatus): number {
  return Math.max(0, Math.max(ingest?.head ?? 0, pipeline?.head ?? 0) - (pipeline?.checkpoint ?? 0));
}

/** Without digits that would only flicker. */
function wholeSeconds(ms: number): string {
  const seconds = Math.floor(ms / 1_000);
  return seconds < 10 ? `${seconds} s` : formatDuration(seconds * 1_000);
}

function passage(label: string, count: string, more: Partial<Passage> = {}): Passage {
  return { label, count, rate: "", kind: "way", tone: "none", hint: "", room: null, ...more };
}

/** Counts and rates by hop of the ledger, as of the snapshot; several hops are one number. */
class Ledger {
  readonly #pipeline: Pipeline;

  constructor(pipeline: Pipeline) {
    this.#pipeline = pipeline;
  }

  count(...hops: readonly string[]): number {
    return hops.reduce((sum, hop) => sum + (this.#pipeline.ledger[hop] ?? 0), 0);
  }

  way(label: string, hint: string, ...hops: readonly string[]): Passage {
    return passage(label, formatCount(this.count(...hops)), { rate: this.#rate(hops), hint });
  }

  exit(label: string, hint: string, ...hops: readonly string[]): Passage {
    return { ...this.way(label, hint, ...hops), kind: "exit" };
  }

  #rate(hops: readonly string[]): string {
    return formatRate(hops.reduce((sum, hop) => sum + (this.#pipeline.hopRates[hop] ?? 0), 0));
  }
}

function sourceStation(status: AppStatus): Station {
  const { ingest } = status;
  const { word, tone } = describeSource(status);
  const connection = ingest?.connection ?? null;
  const open = connection?.state === "open" ? ` · ${wholeSeconds(status.atMs - connection.sinceMs)}` : "";
  const count = (value: number | undefined): string => (value === undefined ? "—" : formatCount(value));
  const rate = ingest === null ? "—" : formatRate(ingest.recordsPerSecond);
  return {
    name: "Source",
    value: rate,
    word: `${word}${open}`,
    tone,
    room: null,
    passages: [
      passage("out", count(ingest?.appended), { rate, hint: "records received by this ingest process" }),
      passage("cut frames", count(ingest?.cutFrames), {
        kind: "exit",
        hint: "frames that a connection's end cut off; asked for again by the resume",
      }),
      passage("connections", count(ingest?.connections), {
        kind: "fact",
        hint: "opened by this ingest process",
      }),
    ],
  };
}

function logStation(status: AppStatus): Station {
  const { ingest, pipeline } = status;
  const word =
    ingest === null
      ? "not open yet"
      : `${formatBytes(ingest.logBytes)} · ${ingest.segments} ${ingest.segments === 1 ? "segment" : "segments"}`;
  const tone: Tone = ingest === null ? "none" : ingest.logHeld === null ? "ok" : "bad";
  const head = ingest === null ? "—" : formatCount(ingest.head);
  const out = pipeline === null ? "—" : formatCount(pipeline.checkpoint);
  return {
    name: "Log",
    value: head,
    word,
    tone,
    room: null,
    passages: [
      passage("in", head, {
        rate: ingest === null ? "—" : formatRate(ingest.recordsPerSecond),
        hint: "head: last offset in the log",
      }),
      passage("out", out, {
        rate: pipeline === null ? "—" : formatRate(pipeline.recordsPerSecond),
        hint: "checkpoint: last offset whose effects are in the lake",
      }),
      passage("lag", pipeline === null ? "—" : formatCount(lagOf(status)), {
        kind: "fact",
        hint: "records in the log that are not in the lake yet",
      }),
    ],
  };
}

function checksStation(ledger: Ledger): Station {
  const letters = ledger.count("dead_letter");
  const passed = ledger.way("out", "records that passed decode, filter and rules", "bronze", "duplicate");
  const share = ledger.count("received") === 0 ? 0 : (letters / ledger.count("received")) * 100;
  const others = ["control", "repeat", "unreadable"];
  const rest = ledger.exit(
    "other",
    "notes and settings of ours, repeats of dead letters, unreadable",
    ...others,
  );
  return {
    name: "Checks",
    value: passed.count,
    word: `${share.toFixed(3)} % dead letters`,
    tone: letters > 0 ? "warn" : "ok",
    room: "dead-letters",
    passages: [
      ledger.way("in", "records read from the log", "received"),
      {
        ...ledger.exit("dead letters", "set aside with rule, reason and original bytes", "dead_letter"),
        tone: letters > 0 ? "warn" : "none",
        room: "dead-letters",
      },
      ledger.exit("filtered", "liveness signals of the source, no edits", "filtered"),
      ...(ledger.count(...others) === 0 ? [] : [rest]),
      passed,
    ],
  };
}

function dedupStation(ledger: Ledger, { settings }: Pipeline): Station {
  const kept = ledger.way("out", "records seen for the first time", "bronze");
  return {
    name: "Dedup",
    value: kept.count,
    word:
      settings === null
        ? "distinct"
        : `distinct · horizon ${formatDuration(settings.inForce.dedupHorizonMs)}`,
    tone: "ok",
    room: null,
    passages: [
      ledger.way("in", "records that passed the checks", "bronze", "duplicate"),
      ledger.exit("duplicates", "came again within the horizon; counted, not stored twice", "duplicate"),
      kept,
    ],
  };
}

function lakeStation(ledger: Ledger, pipeline: Pipeline, tone: Tone): Station {
  const late = ledger.count("late");
  return {
    name: "Lake",
    value: formatCount(ledger.count("silver")),
    word: `edits · ${formatCount(pipeline.hotRows)} rows hot`,
    tone,
    room: "tables",
    passages: [
      ledger.way("bronze", "records as received", "bronze"),
      ledger.way("silver", "edits, typed", "silver"),
      {
        ...ledger.exit(
          "late",
          "below the watermark at their offset; kept, and left out of settled windows",
          "late",
        ),
        tone: late > 0 ? "late" : "none",
        room: "late-arrivals",
      },
      passage("open gold", formatCount(pipeline.openWindowRows), {
        kind: "fact",
        hint: "rows of windows that a newer event may still change",
      }),
    ],
  };
}

function snapshotStation(status: AppStatus, pipeline: Pipeline, tone: Tone): Station {
  const { commitTimeMs, snapshotId, watermarkMs, freshnessMs, mode } = pipeline;
  const age =
    commitTimeMs === null
      ? "no commit by this process yet"
      : `${formatDuration(Math.max(0, status.atMs - commitTimeMs))} ago`;
  const behind = watermarkMs === null ? "—" : wholeSeconds(status.atMs - watermarkMs);
  return {
    name: "Snapshot",
    value: `#${formatCount(snapshotId)}`,
    word: `${age} · ${mode === "live" ? "live" : "catching up"}`,
    tone,
    room: null,
    passages: [
      passage("fresh", freshnessMs === null ? "—" : formatDuration(freshnessMs), {
        kind: "fact",
        hint: "commit time − received time of the newest record of the last commit",
      }),
      passage("watermark", watermarkMs === null ? "—" : formatTime(watermarkMs), {
        kind: "fact",
        hint: "event time up to which windows are settled",
      }),
      passage("behind now", behind, { kind: "fact", hint: "now − watermark" }),
    ],
  };
}

/** The way of a record, station by station; ledger numbers are those of the snapshot at its end. */
export function journey(status: AppStatus): readonly Station[] {
  const { pipeline } = status;
  const arrivals = [sourceStation(status), logStation(status)];
  if (pipeline === null) {
    const waiting = ["Checks", "Dedup", "Lake", "Snapshot"];
    const word = "with the first commit";
    return [
      ...arrivals,
      ...waiting.map((name): Station => ({ name, value: "—", word, tone: "none", room: null, passages: [] })),
    ];
  }
  const ledger = new Ledger(pipeline);
  const tone: Tone = pipeline.catalogHeldSinceMs === null ? "ok" : "warn";
  return [
    ...arrivals,
    checksStation(ledger),
    dedupStation(ledger, pipeline),
    lakeStation(ledger, pipeline, tone),
    snapshotStation(status, pipeline, tone),
  ];
}
