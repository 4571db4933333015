import { armFailpoint, armFailpointFromEnv, disarmFailpoint } from "#storage/failpoint/failpoint.ts";
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
  /** Every message but start, stop, ping and telemetry-ack; arm-failpoint and disarm-failpoint are for the worker's other threads, this one is armed. */
  readonly onMessage: (message: ToWorker) => void;
  /** Ends cleanly; everything durable, every file closed. Telemetry answers once more afterwards, with the last numbers. */
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
/** The channel flushes before a delayed exit; an immediate exit could lose the last message. */
const FLUSH_MS = 20;

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
  const shell = new WorkerShell(line, accepts, start);
  line.onGone(() => process.exit(WORKER_EXIT.orphaned));
  line.onMessage((message) => shell.handle(message));
}

class WorkerShell<M extends StartMessage> {
  readonly #line: ParentLine;
  readonly #accepts: (message: StartMessage) => message is M;
  readonly #start: StartWorker<M>;
  #running: Promise<RunningWorker> | null = null;
  #isStopping = false;
  #isTelemetryAcked = true;

  constructor(line: ParentLine, accepts: (message: StartMessage) => message is M, start: StartWorker<M>) {
    this.#line = line;
    this.#accepts = accepts;
    this.#start = start;
  }

  handle(message: ToWorker): void {
    if (message.type === "start") this.#begin(message);
    else if (message.type === "stop") this.#stop().catch(this.#fail);
    else if (message.type === "ping") this.#line.send({ type: "pong", seq: message.seq });
    else if (message.type === "telemetry-ack") this.#isTelemetryAcked = true;
    else {
      if (message.type === "arm-failpoint") armFailpoint(message.name, message.hit, message.reportPath);
      if (message.type === "disarm-failpoint") disarmFailpoint();
      this.#running?.then((worker) => worker.onMessage(message)).catch(this.#fail);
    }
  }

  #begin(message: StartMessage): void {
    if (this.#running !== null || !this.#accepts(message)) {
      return this.#fail(new AppError("worker-protocol", `unexpected start message for ${message.worker}`));
    }
    this.#running = this.#run(message);
    this.#running.catch(this.#fail);
  }

  async #run(message: M): Promise<RunningWorker> {
    const port: WorkerPort = {
      send: this.#line.send,
      log: (level, text) => this.#line.send({ type: "log-line", level, message: text }),
    };
    const worker = await this.#start(message, port);
    this.#line.send({ type: "ready", pid: process.pid, info: worker.info });
    setInterval(() => this.#sendTelemetry(worker), TELEMETRY_INTERVAL_MS);
    worker.finished.then((reason) => this.#end(worker, reason)).catch(this.#fail);
    return worker;
  }

  #sendTelemetry(worker: RunningWorker): void {
    if (!this.#isTelemetryAcked || this.#isStopping) return;
    this.#isTelemetryAcked = false;
    this.#line.send({ type: "telemetry", telemetry: worker.telemetry() });
  }

  async #stop(): Promise<void> {
    const worker = await this.#running;
    if (worker === null) return this.#finish("stopped");
    await this.#end(worker, "stopped");
  }

  async #end(worker: RunningWorker, reason: "stopped" | "end-of-source" | "events-reached"): Promise<void> {
    if (this.#isStopping) return;
    this.#isStopping = true;
    setTimeout(() => process.exit(WORKER_EXIT.finished), STOP_LIMIT_MS).unref();
    await worker.stop();
    // The last numbers of a run do not wait for an acknowledgement.
    this.#line.send({ type: "telemetry", telemetry: worker.telemetry() });
    this.#finish(reason);
  }

  #finish(reason: "stopped" | "end-of-source" | "events-reached"): void {
    this.#line.send({ type: "finished", reason });
    setTimeout(() => process.exit(WORKER_EXIT.finished), FLUSH_MS);
  }

  readonly #fail = (error: unknown): void => {
    if (!(error instanceof AppError)) throw error;
    this.#line.send({ type: "failed", error: toWireError(error) });
    setTimeout(() => process.exit(WORKER_EXIT.failed), FLUSH_MS);
  };
}
