import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { dataFolderAt } from "#storage/files/data-folder.ts";
import { openLakeWriter } from "#storage/lake/lake-writer.ts";
import { openLogReader } from "#storage/log/log-reader.ts";
import { NEW_LAKE, openLogWriter } from "#storage/log/log-writer.ts";
import { toSourceName } from "#storage/model/brand.ts";
import { systemClock } from "#storage/model/clock.ts";
import type { LakeReader, LakeWriter } from "#storage/model/lake.ts";
import { type AppendRecord, NO_INGEST_COUNTERS } from "#storage/model/record.ts";
import {
  DEFAULT_RESULT_SETTINGS,
  DEFAULT_SETTINGS,
  type LakeSettings,
  type ResultSettings,
} from "#storage/model/settings.ts";
import { verifyLake } from "../maintenance/verify/verify-lake.ts";
import type { VerifyCheck } from "../protocol/query-messages.ts";
import { BatchLoop } from "./batch-loop.ts";
import { CommitQueue } from "./commit-queue.ts";
import { LAKE_TABLES } from "./lake-tables.ts";
import { loadState } from "./load-state.ts";

export const SOURCE = toSourceName("wikimedia");

/** A data folder in a temporary place, with the real log, the real lake and the real loop. */
export class PipelineFixture implements Disposable {
  readonly root = mkdtempSync(join(tmpdir(), "highwater-pipeline-"));
  readonly folder = dataFolderAt(this.root);

  /** Appends to the log; the first call begins it with a settings record. */
  append(records: readonly AppendRecord[], settings: Partial<ResultSettings> = {}): void {
    const log = openLogWriter({
      folder: this.folder.log(SOURCE),
      source: SOURCE,
      quarantine: this.folder.quarantine,
      lake: () => NEW_LAKE,
      settings: { ...DEFAULT_RESULT_SETTINGS, ...settings },
      limits: DEFAULT_SETTINGS.ingest,
    });
    try {
      if (records.length > 0) log.append(records, null, NO_INGEST_COUNTERS);
    } finally {
      log.close();
    }
  }

  /** Runs the loop until everything in the log is committed, then looks at the lake. */
  async run<T>(settings: Partial<LakeSettings>, look: (lake: LakeWriter) => Promise<T>): Promise<T> {
    const lakeSettings = { ...DEFAULT_SETTINGS.lake, liveBatchMs: 10, ...settings };
    const lake = await openLakeWriter({
      folder: this.folder,
      tables: LAKE_TABLES,
      settings: lakeSettings,
      clock: systemClock,
    });
    const log = openLogReader({ folder: this.folder.log(SOURCE), source: SOURCE });
    try {
      const state = await loadState(lake.reader, SOURCE);
      const head = log.head();
      const loop: BatchLoop = new BatchLoop({
        log,
        lake: lake.reader,
        queue: new CommitQueue(lake, systemClock, ({ input }) => {
          if (input.toOffset >= head) loop.stop();
        }),
        state,
        settings: lakeSettings,
      });
      if (state.checkpoint < head) await loop.run();
      return await look(lake);
    } finally {
      log.close();
      await lake.close();
    }
  }

  async verify(reader: LakeReader): Promise<readonly VerifyCheck[]> {
    const logReader = openLogReader({ folder: this.folder.log(SOURCE), source: SOURCE });
    try {
      return await verifyLake({ reader, source: SOURCE, logReader });
    } finally {
      logReader.close();
    }
  }

  [Symbol.dispose](): void {
    rmSync(this.root, { recursive: true, force: true });
  }
}
