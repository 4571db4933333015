import { join } from "node:path";
import { openDataFolder } from "#storage/files/open-data-folder.ts";
import { writeFileAtomic } from "#storage/files/write-file-atomic.ts";
import type { DataFolder } from "#storage/files/data-folder.ts";
import { systemClock } from "#storage/model/clock.ts";
import type { FeedOptions } from "#pipeline/protocol/worker-messages.ts";
import type { AppStatus } from "../contract/app-status.ts";
import type { SettingsView } from "../contract/settings-view.ts";
import type { ProcessHost } from "../supervisor/process-host.ts";
import { checkMark, markOf } from "./data-location.ts";
import { DiskWatch } from "./disk-usage.ts";
import { type Fence, takeFence } from "./fence.ts";
import { endOrphans } from "./orphans.ts";
import { SettingsFile } from "./settings-file.ts";
import { settingFields } from "./settings-view.ts";
import type { ChosenSource } from "./source-spec.ts";
import type { SettingsWish } from "./wish.ts";
import { WorkerLogs } from "./worker-logs.ts";
import { WorkerSet } from "./worker-set.ts";

/** What a run on one data folder is made of. */
export type FolderRunOptions = {
  readonly folder: DataFolder;
  readonly chosen: ChosenSource;
  readonly feed: FeedOptions;
  readonly stopAfterEvents: number | null;
  readonly withQuery: boolean;
  readonly host: ProcessHost;
  readonly version: string;
  readonly startedMs: number;
  /** Answers another process of the same user on the folder's socket. */
  readonly answer: (request: unknown) => Promise<unknown>;
  readonly onChange: () => void;
};

/**
 * Everything that runs on one data folder: fence, settings file, logs, disk watch, workers. Opened by {@link openFolderRun};
 * must be closed. Its numbers stay readable afterwards.
 */
export class FolderRun {
  readonly folder: DataFolder;
  readonly workers: WorkerSet;
  readonly #settings: SettingsFile;
  readonly #disk: DiskWatch;
  readonly #logs: WorkerLogs;
  readonly #fence: Fence;
  readonly #onChange: () => void;

  constructor(options: FolderRunOptions, fence: Fence) {
    const { folder, chosen, feed, onChange } = options;
    this.folder = folder;
    this.#fence = fence;
    this.#onChange = onChange;
    this.#settings = new SettingsFile(folder.settings, (wish) => this.#onWish(wish));
    this.#logs = new WorkerLogs(folder.logs);
    const { wish } = this.#settings;
    if (wish.problem !== null) this.log(wish.problem);
    this.workers = new WorkerSet({
      ...options,
      dataFolder: folder.root,
      clock: systemClock,
      settings: wish.settings,
      hasSettingsWish: wish.hasWish,
      spec: chosen.spec,
      source: chosen.source,
      feed: chosen.mode === "demo" ? feed : null,
      onChange,
      onLog: (worker, level, line) => this.#logs.write(worker, level, line),
    });
    this.#disk = new DiskWatch(folder.root, onChange);
  }

  get disk(): AppStatus["disk"] {
    return this.#disk.usage;
  }

  /** Whether the wish names somebody that the owner of a feed can write to. */
  get hasContact(): boolean {
    return this.#settings.wish.settings.ingest.userAgentContact.trim() !== "";
  }

  get settingsFile(): AppStatus["settingsFile"] {
    const { path, wish, changes } = this.#settings;
    return { path, problem: wish.problem, changes };
  }

  settings(): SettingsView {
    const { text, wish } = this.#settings;
    return { ...this.settingsFile, text, settings: wish.settings, fields: settingFields() };
  }

  /** Writes the wish and applies it. Rejects with `usage`, every mistake named, and nothing written. */
  async saveSettings(text: string): Promise<SettingsView> {
    await this.#settings.save(text);
    return this.settings();
  }

  /** Writes a warning of main's own. */
  log(line: string): void {
    this.#logs.write("main", "warn", line);
  }

  /** Workers first, so that nobody writes when the fence opens. */
  async close(): Promise<void> {
    this.#disk.close();
    this.#settings.close();
    await this.workers.stop();
    await this.#fence.close();
    this.#logs.close();
  }

  /** A file that is gone or bad changes nothing: what the log holds stays in force. */
  #onWish({ settings, hasWish, problem }: SettingsWish): void {
    if (problem !== null) this.log(problem);
    if (hasWish) this.workers.applySettings(settings);
    this.#onChange();
  }
}

/**
 * Takes the folder's fence, looks whether it holds the right kind of data, ends orphans, and starts the workers. Errors:
 * `data-folder-in-use` before any file of the folder was opened, `data-folder-unusable`, `data-folder-network`, `usage`.
 */
export async function openFolderRun(options: FolderRunOptions): Promise<FolderRun> {
  const { folder, chosen, version, startedMs, answer } = options;
  const fence = await takeFence(folder.socket, { pid: process.pid, startedMs, version }, answer);
  try {
    openDataFolder(folder.root);
    const mark = join(folder.workspace, "folder.json");
    // Written once: a start on a full disk has to come as far as saying that the disk is full.
    if (!checkMark(mark, chosen.mode)) await writeFileAtomic(mark, JSON.stringify(markOf(chosen.mode)));
    await endOrphans([folder.logLock, folder.lakeLock]);
  } catch (error) {
    await fence.close();
    throw error;
  }
  const run = new FolderRun(options, fence);
  run.workers.start();
  return run;
}
