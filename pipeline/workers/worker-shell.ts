import { armFailpoint, armFailpointFromEnv } from "#storage/failpoint/failpoint.ts";
import { AppError, toWireError } from "#storage/model/errors.ts";
import { isFailpointName } from "#storage/model/failpoints.ts";
import type {
  FeedTelemetry,
  IngestTelemetry,
  PipelineTelemetry,
  QueryTelemetry,
} from "../protocol/telemetry.ts";
import {
  type StartMessage,
  type ToWorker,
  type FromWorker,
  WORKER_EXIT,
} from "../protocol/worker-messages.ts";
import { openParentLine, type ParentLine } from "./worker-port.ts";

/** What a worker is given to speak with. */
export type WorkerPort = {
  readonly send: (message: FromWorker) => void;
  /** A line for the worker's readable log file. */
  readonly log: (level: "info" | "warn" | "error", message: string) => void;
};

/** A worker that is up. The shell asks it for telemetry, hands it messages and stops it. */
export type RunningWorker = {
  /** Facts that the parent needs before the first telemetry (port, checkpoint, …). */
  readonly info: Readonly<Record<string, string | number>>;
  readonly telemetry: () => IngestTelemetry | PipelineTelemetry | QueryTelemetry | FeedTelemetry;
  /** Every message but start, stop, ping, telemetry-ack and arm-failpoint. */
  readonly onMessage: (message: ToWorker) => void;
  /** Ends cleanly; everything durable, every file closed. */
  readonly stop: () => Promise<void>;
  /** Resolves when the worker reached its own end; rejects with an AppError when it cannot go on. */
  readonly finished: Promise<"end-of-source" | "events-reached">;
};

/** Starts the worker from its first message. Rejects with an AppError that says what to do. */
export type StartWorker<M extends StartMessage> = (message: M, port: WorkerPort) => Promise<RunningWorker>;

/** At most four frames a second, at most one unacknowledged (architecture.md "Processes"). */
const TELEMETRY_INTERVAL_MS = 250;
/** A clean stop that takes longer is abandoned; log and checkpoint make that safe. */
const STOP_LIMIT_MS = 4_000;

/**
 * The process around a worker: first message, heartbeat, telemetry, failpoints, clean stop, end when orphaned.
 * `accepts` narrows the start message to the worker's own. An error that is no AppError is a bug and crashes the process.
 */
export function runWorker<M extends StartMessage>(
  accepts: (message: StartMessage) => message is M,
  start: StartWorker<M>,
): void {
  armFailpointFromEnv(isFailpointName);
  const line = openParentLine();
  const shell = createShell(line, accepts, start);
  line.onGone(() => process.exit(WORKER_EXIT.orphaned));
  line.onMessage((message) => shell(message));
}

function createShell<M extends StartMessage>(
  line: ParentLine,
  accepts: (message: StartMessage) => message is M,
  start: StartWorker<M>,
) {
  let running: Promise<RunningWorker> | null = null;
  let stopping = false;
  let telemetryAcked = true;
  const port: WorkerPort = {
    send: line.send,
    log: (level, message) => line.send({ type: "log-line", level, message }),
  };

  const finish = (reason: "stopped" | "end-of-source" | "events-reached"): void => {
    line.send({ type: "finished", reason });
    // The channel flushes before a delayed exit; an immediate exit could lose the message.
    setTimeout(() => process.exit(WORKER_EXIT.finished), 20);
  };
  const fail = (error: unknown): void => {
    if (!(error instanceof AppError)) throw error;
    line.send({ type: "failed", error: toWireError(error) });
    setTimeout(() => process.exit(WORKER_EXIT.failed), 20);
  };
  const sendTelemetry = (worker: RunningWorker): void => {
    if (!telemetryAcked || stopping) return;
    telemetryAcked = false;
    line.send({ type: "telemetry", telemetry: worker.telemetry() });
  };
  const begin = async (message: M): Promise<RunningWorker> => {
    const worker = await start(message, port);
    line.send({ type: "ready", pid: process.pid, info: worker.info });
    setInterval(() => sendTelemetry(worker), TELEMETRY_INTERVAL_MS);
    worker.finished.then(
      async (reason) => {
        if (stopping) return;
        // The last numbers of a run must not be lost behind an acknowledgement that has not come yet.
        line.send({ type: "telemetry", telemetry: worker.telemetry() });
        stopping = true;
        await worker.stop();
        finish(reason);
      },
      (error: unknown) => fail(error),
    );
    return worker;
  };
  const stop = async (): Promise<void> => {
    if (stopping) return;
    stopping = true;
    setTimeout(() => process.exit(WORKER_EXIT.finished), STOP_LIMIT_MS).unref();
    if (running !== null) {
      const worker = await running;
      await worker.stop();
      line.send({ type: "telemetry", telemetry: worker.telemetry() });
    }
    finish("stopped");
  };

  return (message: ToWorker): void => {
    switch (message.type) {
      case "start":
        if (running !== null || !accepts(message))
          return fail(new AppError("worker-protocol", `unexpected start message for ${message.worker}`));
        running = begin(message);
        running.catch(fail);
        return;
      case "stop":
        stop().catch(fail);
        return;
      case "ping":
        return line.send({ type: "pong", seq: message.seq });
      case "telemetry-ack":
        telemetryAcked = true;
        return;
      case "arm-failpoint":
        return armFailpoint(message.name, message.hit, message.reportPath);
      case "pause":
      case "resume":
      case "settings":
      case "ask-gap":
      case "sealed":
      case "head":
      case "query":
      case "cancel":
        running?.then((worker) => worker.onMessage(message)).catch(fail);
    }
  };
}
