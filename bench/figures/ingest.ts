import { join } from "node:path";
import { dataFolderAt } from "#storage/files/data-folder.ts";
import { openLogReader } from "#storage/log/log-reader.ts";
import { toOffset, toSourceName } from "#storage/model/brand.ts";
import type { LogReader } from "#storage/model/log.ts";
import { DEFAULT_SETTINGS } from "#storage/model/settings.ts";
import { startCorpusServer } from "../corpus/corpus-server.ts";
import { runMeasurement } from "../run/run-measurement.ts";
import { waitUntil } from "../run/wait-until.ts";
import { assertWell, startWorker } from "../run/worker-under-test.ts";
import { countText, type FigureGroup } from "./bench-context.ts";

const SOURCE = toSourceName("bench");
/** Offset 1 is the log's settings record. */
const FIRST_EVENT = toOffset(2);
/** The baseline is the best of so many, so that it is not slow by accident. */
const RAW_RUNS = 3;

/** The real ingest worker on a server that sends the corpus as fast as it is taken, beside a client that only counts bytes. */
export const ingest: FigureGroup = {
  name: "ingest",
  rows: {
    sseToLog: {
      figure: "SSE → durable log, of raw loopback bytes",
      limit: { kind: "at-least", value: 28, unit: "percent" },
    },
  },
  measure: async ({ plan, root, corpusPath, corpus }) => {
    const server = await startCorpusServer(corpusPath);
    try {
      let raw = 0;
      for (let run = 0; run < RAW_RUNS; run += 1) {
        const { bytes, ms } = await runMeasurement("loopback", { url: server.rawUrl });
        if (bytes !== corpus.fileBytes)
          throw new Error(`the client got ${bytes} of ${corpus.fileBytes} bytes`);
        raw = Math.max(raw, corpus.records / ms);
      }
      const own = await speedOfIngest(join(root, "ingest"), server.streamUrl, corpus.records);
      return {
        sseToLog: {
          value: (own / raw) * 100,
          baseline: `${raw.toFixed(0)} k/s`,
          note: `${own.toFixed(1)} k events/s into the log, from the first record received to the last one durable${plan.isQuick ? `; ${countText(plan.events)} events instead of 1 M` : ""}`,
        },
      };
    } finally {
      server.stop();
    }
  },
};

async function speedOfIngest(root: string, url: string, records: number): Promise<number> {
  const worker = startWorker({
    type: "start",
    worker: "ingest",
    dataFolder: root,
    source: { kind: "sse", source: SOURCE, url, stream: "mediawiki.recentchange" },
    settings: DEFAULT_SETTINGS,
    hasSettingsWish: false,
    seenHead: 0,
    stopAfter: { events: null },
  });
  const reader = openLogReader({ folder: dataFolderAt(root).log(SOURCE), source: SOURCE });
  try {
    await waitUntil("all records in the log", () => {
      assertWell(worker);
      return reader.head() >= records + 1 ? true : null;
    });
    const ms = Date.now() - firstReceivedMs(reader);
    return records / ms;
  } finally {
    reader.close();
    await worker.stop();
  }
}

function firstReceivedMs(reader: LogReader): number {
  const [record] = reader.read(FIRST_EVENT, 1, 1).records;
  if (record === undefined) throw new Error("the first record cannot be read back");
  return record.receivedTimeMs;
}
