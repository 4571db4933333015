import { dataFolderAt } from "#storage/files/data-folder.ts";
import { openLakeReader } from "#storage/lake/read/lake-reader.ts";
import { openLogReader } from "#storage/log/log-reader.ts";
import { toSourceName } from "#storage/model/brand.ts";
import type { CommitInput, LakeReader } from "#storage/model/lake.ts";
import type { LogReader } from "#storage/model/log.ts";
import type { LakeSettings } from "#storage/model/settings.ts";
import { BatchLoop } from "../batch/batch-loop.ts";
import type { BatchState } from "../batch/batch-state.ts";
import { loadState } from "../batch/load-state.ts";
import { memoryOfCommit, packCommit, type PackedCommit } from "../batch/pack-commit.ts";
import { packRows, type PackedRows } from "../batch/pack-rows.ts";
import { rowCountOf, takeRows } from "../protocol/table-rows.ts";
import type { DecideStart, FromDecider, SourceView } from "./decide-messages.ts";

/** Telemetry leaves the process this often; a view that did not change is not posted. */
const VIEW_INTERVAL_MS = 250;

/** Posts to the writing thread; `memory` is handed over. */
export type Post = (message: FromDecider, memory?: readonly ArrayBuffer[]) => void;

type SourceRun = { readonly log: LogReader; readonly state: BatchState; readonly loop: BatchLoop };

/**
 * One batch loop per source, their logs and everything that decides, in the deciding thread. What is decided is posted; the
 * answer comes by {@link done}. Reads the lake (state at the start, amends) on a connection of its own.
 */
export class DecidingSources {
  readonly #start: DecideStart;
  readonly #post: Post;
  readonly #lake: LakeReader;
  readonly #runs: SourceRun[] = [];
  readonly #waiting = new Map<number, (published: boolean) => void>();
  #turn = 0;
  #views = "";
  #settings: LakeSettings;
  #isStopping = false;
  #ended: Promise<void> = Promise.resolve();

  constructor(start: DecideStart, post: Post) {
    this.#start = start;
    this.#post = post;
    this.#settings = start.settings;
    const folder = dataFolderAt(start.dataFolder);
    this.#lake = openLakeReader({
      catalogPath: folder.catalog,
      lakeData: folder.lakeData,
      tempFolder: folder.tmp,
    });
  }

  /** Reads states back, says `ready`, and decides until {@link stop}. Rejects with what no retry mends. */
  run(): Promise<void> {
    const running = this.#run();
    // Stopping waits for the end; the failure itself is told to the caller of run.
    this.#ended = running.catch(() => undefined);
    return running;
  }

  applySettings(settings: LakeSettings): void {
    this.#settings = settings;
    for (const { loop } of this.#runs) loop.applySettings(settings);
  }

  /** The writing thread's answer to a turn. */
  done(turn: number, published: boolean): void {
    this.#waiting.get(turn)?.(published);
    this.#waiting.delete(turn);
  }

  /** Ends after the batch in hand; resolves when every file is closed. */
  async stop(): Promise<void> {
    this.#isStopping = true;
    for (const { loop } of this.#runs) loop.stop();
    await this.#ended;
  }

  async #run(): Promise<void> {
    const views = setInterval(() => this.#postViews(), VIEW_INTERVAL_MS);
    try {
      for (const name of this.#start.sources) this.#runs.push(await this.#open(name));
      const sources = this.#runs.map(({ state }) => ({
        source: state.source,
        questions: state.gaps.questions(),
      }));
      this.#post({ type: "ready", sources });
      if (!this.#isStopping) await Promise.all(this.#runs.map(({ loop }) => loop.run()));
    } finally {
      clearInterval(views);
      this.#postViews();
      for (const { log } of this.#runs) log.close();
      await this.#lake.close();
    }
  }

  async #open(name: string): Promise<SourceRun> {
    const source = toSourceName(name);
    const state = await loadState(this.#lake, source);
    const log = openLogReader({ folder: dataFolderAt(this.#start.dataFolder).log(source), source });
    const early: PackedRows[] = [];
    const queue = {
      commit: (input: CommitInput) => this.#commit(packCommit(input, early.splice(0)), state),
      maintain: async () => void (await this.#inTurn((turn) => this.#post({ type: "maintain", turn }))),
    };
    const loop = new BatchLoop({
      log,
      lake: this.#lake,
      queue,
      state,
      settings: this.#settings,
      // Packed while they are young: cells of a whole batch outlive several collections, and each copies them.
      onBreath: (rows) => {
        for (const table of Object.values(rows))
          if (rowCountOf(table) > 0) early.push(takeRows(table, packRows));
      },
    });
    return { log, state, loop };
  }

  #commit(commit: PackedCommit, state: BatchState): Promise<boolean> {
    const questions = state.gaps.questions();
    return this.#inTurn((turn) =>
      this.#post({ type: "commit", turn, commit, questions }, memoryOfCommit(commit)),
    );
  }

  #inTurn(post: (turn: number) => void): Promise<boolean> {
    this.#turn += 1;
    const { promise, resolve } = Promise.withResolvers<boolean>();
    this.#waiting.set(this.#turn, resolve);
    post(this.#turn);
    return promise;
  }

  #postViews(): void {
    const views = this.#runs.map(({ loop, state }): SourceView => ({
      source: state.source,
      head: loop.head,
      mode: loop.mode,
      clockWrong: state.clock.isWrong(),
    }));
    const text = JSON.stringify(views);
    if (text === this.#views) return;
    this.#views = text;
    for (const view of views) this.#post({ type: "view", view });
  }
}
