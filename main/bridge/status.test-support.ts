import type { SettingsView } from "#main/contract/settings-view.ts";
import { DEFAULT_SETTINGS } from "#storage/model/settings.ts";
import { settingFields } from "../engine/settings-view.ts";
import { DEFAULT_RESULT_SETTINGS } from "#storage/model/settings.ts";
import type { AppStatus, WorkerStatus } from "#main/contract/app-status.ts";
import type { BatchStep } from "#pipeline/protocol/lake-steps.ts";
import type { IngestTelemetry, PipelineTelemetry } from "#pipeline/protocol/telemetry.ts";

/** 2026-11-30T12:00:00Z, the "now" of every example. */
export const EXAMPLE_NOW_MS = Date.UTC(2026, 10, 30, 12);

export function exampleWorker(
  name: WorkerStatus["name"],
  pid: number,
  more: Partial<WorkerStatus> = {},
): WorkerStatus {
  const phase = { state: "running", pid, sinceMs: EXAMPLE_NOW_MS - 60_000 } as const;
  return { name, phase, restarts: 0, lastExit: null, ...more };
}

export function exampleIngest(more: Partial<IngestTelemetry> = {}): IngestTelemetry {
  return {
    worker: "ingest",
    source: "recentchange",
    url: "https://stream.wikimedia.org/v2/stream/recentchange",
    connection: { state: "open", sinceMs: EXAMPLE_NOW_MS - 372_000, receiving: true },
    head: 1_000,
    appended: 1_000,
    appendedBytes: 1_200_000,
    cutFrames: 0,
    connections: 1,
    bufferedBytes: 0,
    recordsPerSecond: 47.2,
    logBytes: 400_000,
    segments: 1,
    lastReceivedMs: EXAMPLE_NOW_MS - 100,
    lastRecordMs: EXAMPLE_NOW_MS - 100,
    serverOffsetMs: 12,
    quarantined: [],
    logHeld: null,
    rssBytes: 60_000_000,
    atMs: EXAMPLE_NOW_MS,
    ...more,
  };
}

export function examplePipeline(more: Partial<PipelineTelemetry> = {}): PipelineTelemetry {
  return {
    worker: "pipeline",
    source: "recentchange",
    checkpoint: 953,
    head: 1_000,
    snapshotId: 27_310,
    commitTimeMs: EXAMPLE_NOW_MS - 180,
    freshnessMs: 180,
    freshnessP50Ms: 140,
    freshnessP99Ms: 310,
    watermarkMs: EXAMPLE_NOW_MS - 120_000,
    recordsPerSecond: 47,
    hopRates: {
      received: 47,
      filtered: 0.2,
      dead_letter: 0.4,
      duplicate: 1.2,
      bronze: 45.2,
      silver: 45.2,
      late: 0.6,
    },
    steps: { beganMs: EXAMPLE_NOW_MS - 60_000, newest: [exampleBatch()] },
    mode: "live",
    ledger: {
      received: 953,
      filtered: 3,
      dead_letter: 41,
      duplicate: 19,
      repeat: 0,
      control: 1,
      bronze: 889,
      silver: 889,
      late: 7,
    },
    gaps: [],
    settings: { sinceOffset: 1, inForce: DEFAULT_RESULT_SETTINGS, rulesStillOn: [] },
    lastEditMs: EXAMPLE_NOW_MS - 180,
    filteredSinceEdit: 0,
    activeHoles: { count: 0, newest: [] },
    losses: { count: 0, newest: [] },
    hotRows: 889,
    openWindowRows: 120,
    sealedOffset: 0,
    catalogBytes: 500_000,
    clockWrong: false,
    catalogHeldSinceMs: null,
    catalogHeldBy: null,
    wentBack: null,
    committedEvents: 930,
    rssBytes: 180_000_000,
    atMs: EXAMPLE_NOW_MS,
    ...more,
  };
}

/** A live batch of twenty records. */
export function exampleBatch(more: Partial<BatchStep> = {}): BatchStep {
  const counts = { bronze: 17, late: 1, deadLetters: 1, duplicates: 1, filtered: 1, gold: 24 };
  return {
    kind: "batch",
    nth: 1,
    snapshotId: 27_310,
    commitTimeMs: EXAMPLE_NOW_MS - 180,
    mode: "live",
    fromOffset: 934,
    toOffset: 953,
    counts,
    commitMs: 3,
    freshnessMs: 180,
    upkeep: null,
    ...more,
  };
}

/** A healthy running app. */
export function exampleStatus(more: Partial<AppStatus> = {}): AppStatus {
  return {
    version: "0.1.0",
    dataFolder: "/home/user/.local/share/highwater",
    mode: "live",
    source: "recentchange",
    isSourceStopped: false,
    startedMs: EXAMPLE_NOW_MS - 600_000,
    disk: {
      logBytes: 41_000_000,
      lakeBytes: 120_000_000,
      otherBytes: 1_000_000,
      isWhole: true,
      freeBytes: 80_000_000_000,
      totalBytes: 250_000_000_000,
      atMs: EXAMPLE_NOW_MS,
    },
    settingsFile: {
      path: "/home/user/.local/share/highwater/workspace/settings.json",
      problem: null,
      changes: 0,
    },
    liveFeed: { source: "recentchange", url: "https://stream.wikimedia.org/v2/stream/recentchange" },
    banners: [],
    workers: [exampleWorker("ingest", 101), exampleWorker("pipeline", 102), exampleWorker("query", 103)],
    ingest: exampleIngest(),
    pipeline: examplePipeline(),
    query: { worker: "query", running: 0, rssBytes: 140_000_000, atMs: EXAMPLE_NOW_MS },
    feed: null,
    atMs: EXAMPLE_NOW_MS,
    ...more,
  };
}

/** Settings as a window reads them; by default nothing is wished for. */
export function exampleSettings(more: Partial<SettingsView> = {}): SettingsView {
  return {
    path: "/home/user/.local/share/highwater/workspace/settings.json",
    text: null,
    problem: null,
    changes: 0,
    settings: DEFAULT_SETTINGS,
    fields: settingFields(),
    ...more,
  };
}
