import { cpSync, mkdirSync, rmSync, writeFileSync } from "node:fs";
import type { SourceName } from "#storage/model/brand.ts";
import { systemClock } from "#storage/model/clock.ts";
import type { DataFolder } from "#storage/files/data-folder.ts";
import { openDataFolder } from "#storage/files/open-data-folder.ts";
import { openLogReader } from "#storage/log/log-reader.ts";
import type { PipelineTelemetry } from "#pipeline/protocol/telemetry.ts";
import { SupervisedWorker } from "#main/supervisor/supervised-worker.ts";
import { type Dump, dumpLake } from "./dump-lake.ts";
import { fastSettings, type Wish } from "./fast-settings.ts";
import { until } from "./poll.ts";
import type { Scope } from "./scope.ts";
import { WatchedHost } from "./watched-host.ts";

/** Copies the log of a folder (nobody may be writing it) into a new one, which has no lake yet. */
export function copyLog(scope: Scope, from: DataFolder): DataFolder {
  const folder = openDataFolder(scope.folder());
  cpSync(from.logRoot, folder.logRoot, {
    recursive: true,
    filter: (path) => !isLock(path),
  });
  return folder;
}

/** A copy of a whole folder that nobody is writing: its lake as it is at this checkpoint. */
export function copyFolder(scope: Scope, from: DataFolder): DataFolder {
  const folder = openDataFolder(scope.folder());
  cpSync(from.root, folder.root, {
    recursive: true,
    filter: (path) => !isLock(path),
  });
  return folder;
}

/** The pipeline worker alone on a folder whose log is complete: the log decides everything, so this is the exact judge. */
export class PipelineAlone {
  readonly host = new WatchedHost();
  readonly folder: DataFolder;
  readonly #worker: SupervisedWorker;
  readonly #head: number;
  readonly #lines: string[] = [];
  latest: PipelineTelemetry | null = null;

  constructor(scope: Scope, folder: DataFolder, source: SourceName, wish: Wish = {}) {
    this.folder = folder;
    mkdirSync(folder.workspace, { recursive: true });
    writeFileSync(folder.settings, JSON.stringify(fastSettings(wish)));
    const reader = openLogReader({ folder: folder.log(source), source });
    this.#head = reader.head();
    reader.close();
    this.#worker = new SupervisedWorker({
      name: "pipeline",
      host: this.host,
      clock: systemClock,
      startMessage: () => ({
        type: "start",
        worker: "pipeline",
        dataFolder: folder.root,
        sources: [source],
        settings: fastSettings(wish),
        seenSnapshotId: 0,
        stopAfter: { events: null },
      }),
      events: {
        onMessage: (message) => {
          if (message.type !== "telemetry" || message.telemetry.worker !== "pipeline") return;
          this.latest = message.telemetry;
          this.#worker.noteProgress(message.telemetry.snapshotId);
        },
        onStatus: () => undefined,
        onLog: (level, line) => void this.#lines.push(`${level} ${line}`),
      },
    });
    scope.onEnd(() => this.host.end());
    scope.onEnd(() => this.#worker.stop());
  }

  start(): void {
    this.#worker.start();
  }

  kill(): boolean {
    return this.#worker.kill(true);
  }

  /** Waits until everything in the log is committed. */
  async drained(limitMs = 60_000): Promise<void> {
    await until(
      "the whole log is committed",
      () => {
        if (this.#worker.status().phase.state === "gave-up") throw new Error(`gave up\n${this.explain()}`);
        return this.latest?.checkpoint === this.#head;
      },
      { limitMs, explain: () => this.explain() },
    );
  }

  async stop(): Promise<void> {
    await this.#worker.stop();
  }

  explain(): string {
    const { phase, restarts, lastExit } = this.#worker.status();
    return JSON.stringify({
      head: this.#head,
      latest: this.latest,
      phase,
      restarts,
      lastExit,
      log: this.#lines.slice(-15),
    });
  }
}

/** What an undisturbed pipeline makes of the rest of a log, going on from an older lake as it was then. */
export async function replayFrom(
  scope: Scope,
  older: DataFolder,
  log: DataFolder,
  source: SourceName,
): Promise<Dump> {
  rmSync(older.logRoot, { recursive: true });
  cpSync(log.logRoot, older.logRoot, { recursive: true, filter: (path) => !isLock(path) });
  const alone = new PipelineAlone(scope, older, source);
  alone.start();
  await alone.drained();
  await alone.stop();
  return dumpLake(older);
}

function isLock(path: string): boolean {
  return /(app\.sock|writer\.(lock|json)(-\w+)?)$/.test(path);
}

/** What an undisturbed pipeline makes of a folder's log, in a folder of its own. */
export async function replayLog(
  scope: Scope,
  from: DataFolder,
  source: SourceName,
  wish: Wish = {},
): Promise<Dump> {
  const alone = new PipelineAlone(scope, copyLog(scope, from), source, wish);
  alone.start();
  await alone.drained();
  await alone.stop();
  return dumpLake(alone.folder);
}
