import { dataFolderAt, type DataFolder } from "#storage/files/data-folder.ts";
import { readLeases } from "#storage/files/lease.ts";
import { holdWriterLock } from "#storage/files/writer-lock.ts";
import { readLakeMemory } from "#storage/lake/read/read-lake-memory.ts";
import { type LakeOfLog, openLogWriter, type OpenedLogWriter } from "#storage/log/log-writer.ts";
import { toOffset, toSourceName, type Offset, type SourceName } from "#storage/model/brand.ts";
import { systemClock } from "#storage/model/clock.ts";
import { mkdirSync } from "node:fs";
import type { Source } from "../ingest/source-contract.ts";
import { IngestLoop } from "../ingest/ingest-loop.ts";
import { applyNetworkEnvironment } from "../ingest/network-environment.ts";
import { sourceFor } from "../ingest/sources/registry.ts";
import { MAX_TOLD } from "../protocol/telemetry.ts";
import type { StartMessage, ToWorker } from "../protocol/worker-messages.ts";
import { runWorker, type RunningWorker, type WorkerPort } from "./worker-shell.ts";

type IngestStart = StartMessage & { worker: "ingest" };

/** The ingest worker: the only writer of `log/<source>/`. Source → log, durable, resumed without loss. */
runWorker(isIngestStart, startIngest);

function isIngestStart(message: StartMessage): message is IngestStart {
  return message.worker === "ingest";
}

async function startIngest(message: IngestStart, port: WorkerPort): Promise<RunningWorker> {
  const folder = dataFolderAt(message.dataFolder);
  mkdirSync(folder.logRoot, { recursive: true, mode: 0o700 });
  const lock = await holdWriterLock(folder.logLock);
  let writer: OpenedLogWriter | null = null;
  try {
    const source = sourceFor(message.source);
    for (const line of applyNetworkEnvironment(process.env)) port.log("info", line);
    writer = openWriter(message, folder, source);
    const loop = createLoop(message, folder, writer, port, source);
    reportTakeover(writer, port);
    loop.start();
    return createRunning(loop, writer, message.source.source, lock.release);
  } catch (error) {
    writer?.close();
    lock.release();
    throw error;
  }
}

function openWriter(message: IngestStart, folder: DataFolder, source: Source): OpenedLogWriter {
  const name = toSourceName(message.source.source);
  return openLogWriter({
    folder: folder.log(name),
    source: name,
    quarantine: folder.quarantine,
    // A -wal file that is gone takes acknowledged records with it: the segment reads whole, only shorter.
    lake: () => atLeast(lakeOfLog(folder, name, source), message.seenHead),
    settings: message.hasSettingsWish ? message.settings.result : null,
    limits: message.settings.ingest,
  });
}

/** The lake knows the id of its newest record; the source makes a position of it, which every connection rewinds. */
function lakeOfLog(folder: DataFolder, name: SourceName, source: Source): LakeOfLog {
  const { checkpoint, sourceCursor, maxEventTimeMs, settings } = readLakeMemory(folder.catalog, name);
  if (sourceCursor === null || source.framing !== "sse") return { checkpoint, cursor: null, settings };
  // The time of the newest event, not of now: where the id cannot be understood, it is what the source is asked from.
  const seenMs = maxEventTimeMs ?? systemClock.nowMs();
  return { checkpoint, cursor: source.positionAfter(null, [sourceCursor], seenMs), settings };
}

function atLeast(lake: LakeOfLog, seenHead: number): LakeOfLog {
  return { ...lake, checkpoint: toOffset(Math.max(lake.checkpoint, seenHead)) };
}

function createLoop(
  message: IngestStart,
  folder: DataFolder,
  writer: OpenedLogWriter,
  port: WorkerPort,
  source: ReturnType<typeof sourceFor>,
): IngestLoop {
  const name = toSourceName(message.source.source);
  return new IngestLoop({
    source,
    spec: message.source,
    writer,
    logFolder: folder.log(name),
    settings: message.settings,
    leasedFrom: () => leasedFrom(folder, name),
    clock: systemClock,
    random: Math.random,
    log: port.log,
  });
}

function createRunning(
  loop: IngestLoop,
  writer: OpenedLogWriter,
  source: string,
  release: () => void,
): RunningWorker {
  // After the stop the log is closed; what is told then is what was true when it was.
  let last: ReturnType<IngestLoop["telemetry"]> | null = null;
  const quarantined = writer.takeover.quarantined
    .slice(-MAX_TOLD)
    .map(({ movedTo, fromOffset, reason }) => ({ movedTo, fromOffset, reason }));
  return {
    info: { source, head: writer.head(), quarantined: writer.takeover.quarantined.length },
    telemetry: () => ({ ...(last ?? loop.telemetry()), quarantined }),
    onMessage: (message) => handle(loop, source, message),
    stop: async () => {
      await loop.stop();
      last = loop.telemetry();
      writer.close();
      release();
    },
    finished: loop.finished,
  };
}

function handle(loop: IngestLoop, source: string, message: ToWorker): void {
  if (message.type === "pause") loop.pause();
  else if (message.type === "resume") loop.resume();
  else if (message.type === "settings") loop.applySettings(message.settings);
  else if (message.type === "note") loop.note(message.body);
  else if (message.type === "ask-gap") loop.ask(message);
  else if (message.type === "sealed" && message.source === source) {
    loop.applySealed(toOffset(message.sealedOffset));
  }
}

function leasedFrom(folder: DataFolder, source: string): Offset | null {
  const ranges = readLeases(folder.leases, Date.now()).flatMap((lease) => lease.logRanges);
  const starts = ranges.flatMap((range) => (range.source === source ? [range.fromOffset] : []));
  return starts.length === 0 ? null : toOffset(Math.min(...starts));
}

function reportTakeover(writer: OpenedLogWriter, port: WorkerPort): void {
  const { quarantined, tailLost } = writer.takeover;
  for (const item of quarantined)
    port.log("warn", `a broken segment of the log was set aside: ${JSON.stringify(item)}`);
  if (tailLost !== null) {
    const { fromOffset, toOffset: last } = tailLost;
    port.log(
      "warn",
      `the log lost offsets ${fromOffset} to ${last}, which the lake, a segment set aside or the last run held; going on behind them`,
    );
  }
}
