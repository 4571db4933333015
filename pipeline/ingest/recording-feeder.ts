import type { Clock } from "#storage/model/clock.ts";
import { AppError } from "#storage/model/errors.ts";
import type { IngestSettings } from "#storage/model/settings.ts";
import type { SourceSpec } from "../protocol/worker-messages.ts";
import type { ConnectionEnd } from "./connection/connection-end.ts";
import { nextConnection, NEW_CONNECTION, type ConnectionEvent } from "./connection/next-connection.ts";
import type { Feeder, FeederSink } from "./feeder.ts";
import type { RecordingReader, RecordingSource } from "./source-contract.ts";

/** What a recording feeder works with. */
export type RecordingFeederOptions = {
  readonly source: RecordingSource;
  readonly spec: SourceSpec & { kind: "file" };
  readonly settings: () => IngestSettings;
  readonly sink: FeederSink;
  readonly clock: Clock;
};

/** A feeder that reads a recording to its end, as fast as the log takes it. */
export function createRecordingFeeder(options: RecordingFeederOptions): Feeder {
  const { source, spec, settings, sink, clock } = options;
  const { promise: finished, resolve, reject } = Promise.withResolvers<"end-of-source">();
  let connection = NEW_CONNECTION;
  let running: Promise<void> = Promise.resolve();
  let position: string | null = null;

  const step = (event: ConnectionEvent): void => {
    const before = connection.state.state;
    const context = { nowMs: clock.nowMs(), random: 0, backoffMinMs: 0, backoffMaxMs: 0 };
    connection = nextConnection(connection, event, context).connection;
    const isBegun = connection.state.state === "connecting" && before !== "connecting";
    if (isBegun) running = running.then(readOn).catch(reject);
  };

  const isWanted = (): boolean =>
    connection.state.state === "connecting" || connection.state.state === "open";

  const readOn = async (): Promise<void> => {
    if (!isWanted()) return;
    // What was taken already may still wait for the disk, so the position of the last taken record counts.
    position ??= sink.position();
    try {
      await readFrom(position);
    } catch (error) {
      if (!(error instanceof AppError) || error.code !== "source-file-unreadable") throw error;
      const end: ConnectionEnd = { end: "file-unreadable", reason: error.message };
      sink.log("warn", error.message);
      step({ type: "ended", end });
    }
  };

  const readFrom = async (from: string | null): Promise<void> => {
    const { frameCapBytes, oversizedKeepBytes } = settings();
    const reader = await source.open(spec.path, from, {
      capBytes: frameCapBytes,
      keepBytes: oversizedKeepBytes,
    });
    try {
      step({ type: "opened" });
      sink.opened(null);
      if (!(await readAll(reader))) return;
      const { cutFrames, emptyFrames } = reader.dropped();
      for (let i = 0; i < cutFrames; i += 1) sink.cutFrame();
      sink.takeEmpty(emptyFrames);
      step({ type: "finish", reason: "the file is at its end" });
      resolve("end-of-source");
    } finally {
      await reader.close();
    }
  };

  /** True at the end of the file, false when it was paused or stopped before. */
  const readAll = async (reader: RecordingReader): Promise<boolean> => {
    for (;;) {
      await sink.room();
      if (!isWanted()) return false;
      const frames = await reader.read();
      if (frames === null) return true;
      if (!isWanted()) return false;
      sink.received();
      for (const frame of frames) {
        sink.take(frame);
        position = frame.position;
      }
      if (frames.length > 0) step({ type: "record" });
    }
  };

  return {
    state: () => connection.state,
    start: () => step({ type: "start" }),
    pause: () => step({ type: "pause" }),
    resume: () => step({ type: "resume" }),
    ask: ({ topic }) => sink.log("warn", `a file cannot be asked for a hole in ${topic}`),
    stop: async () => {
      step({ type: "finish", reason: "stopped" });
      await running;
    },
    finished,
  };
}
