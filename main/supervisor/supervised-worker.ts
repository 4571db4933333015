import type { Clock } from "#storage/model/clock.ts";
import { AppError, type WireError, toWireError } from "#storage/model/errors.ts";
import type { FromWorker, StartMessage, ToWorker, WorkerName } from "#pipeline/protocol/worker-messages.ts";
import type { WorkerStatus } from "../contract/app-status.ts";
import {
  checkHeartbeat,
  type Heartbeat,
  HEARTBEAT_INTERVAL_MS,
  notePong,
  startHeartbeat,
} from "./heartbeat.ts";
import type { ProcessExit, ProcessHost, WorkerProcess } from "./process-host.ts";
import { nextRestart } from "./restart-policy.ts";

/** What the owner of a worker wants to know. */
export type WorkerEvents = {
  /** Every message, after the supervisor took what concerns it. */
  readonly onMessage: (message: FromWorker) => void;
  readonly onStatus: () => void;
  /** A line for the worker's log file. */
  readonly onLog: (level: "info" | "warn" | "error", line: string) => void;
};

/** Options of {@link SupervisedWorker}. */
export type SupervisedWorkerOptions = {
  readonly name: WorkerName;
  readonly host: ProcessHost;
  readonly clock: Clock;
  /** Made anew for each start, since the newest checkpoint or url may belong in it. */
  readonly startMessage: () => StartMessage;
  readonly env?: Readonly<Record<string, string>>;
  readonly events: WorkerEvents;
};

/** A clean stop that takes longer is ended with SIGKILL; log and checkpoint make that safe. */
const STOP_LIMIT_MS = 5_000;

/**
 * One worker under supervision: started, watched by heartbeat, restarted within its budget, stopped.
 *
 *     stopped ──start──▶ starting ──ready──▶ running ◀──pong── hanging
 *                          ▲  │ exit           │ exit            │ silent too long: SIGKILL
 *                          │  └───────────────▶┴─────────────────┘
 *                          └── backing-off ◀── restart allowed   │ finished: stays finished
 *                                              budget used up: gave-up
 *
 * A new process is started only after the exit of the old one was seen.
 */
export class SupervisedWorker {
  readonly #options: SupervisedWorkerOptions;
  #phase: WorkerStatus["phase"] = { state: "stopped" };
  #process: WorkerProcess | null = null;
  #beat: Heartbeat;
  #pulse: NodeJS.Timeout | null = null;
  #restartTimer: NodeJS.Timeout | null = null;
  #restarts = 0;
  #withoutProgress = 0;
  #wasOrdered = false;
  #isStopping = false;
  #lastExit: WorkerStatus["lastExit"] = null;
  #lastError: WireError | null = null;
  #lastProgress = -1;
  readonly #exitWaiters: (() => void)[] = [];

  constructor(options: SupervisedWorkerOptions) {
    this.#options = options;
    this.#beat = startHeartbeat(options.clock.monotonicMs());
  }

  status(): WorkerStatus {
    return {
      name: this.#options.name,
      phase: this.#phase,
      restarts: this.#restarts,
      lastExit: this.#lastExit,
    };
  }

  pid(): number | null {
    return this.#process?.pid() ?? null;
  }

  /** Starts the process; does nothing when one is there. */
  start(): void {
    if (this.#process !== null || this.#isStopping) return;
    if (this.#restartTimer !== null) clearTimeout(this.#restartTimer);
    this.#restartTimer = null;
    this.#lastError = null;
    const child = this.#options.host.start(this.#options.name, this.#options.env ?? {});
    this.#process = child;
    child.onMessage((message) => this.#onMessage(child, message));
    child.onOutput((line) => this.#options.events.onLog("error", line));
    child.onExit((exit) => this.#onExit(exit));
    this.#beat = startHeartbeat(this.#options.clock.monotonicMs());
    this.#pulse ??= setInterval(() => this.#checkPulse(), HEARTBEAT_INTERVAL_MS);
    this.#setPhase({ state: "starting", pid: child.pid() });
    child.send(this.#options.startMessage());
  }

  /** False when there is no process to send to. */
  send(message: ToWorker): boolean {
    this.#process?.send(message);
    return this.#process !== null;
  }

  /** A commit, an append or an answer: the restart budget is whole again. `mark` must grow to count. */
  noteProgress(mark: number): void {
    if (mark <= this.#lastProgress) return;
    this.#lastProgress = mark;
    this.#withoutProgress = 0;
  }

  /** SIGKILL by pid. `isOrdered`: chaos or the user wants it, so it does not count against the budget. */
  kill(isOrdered: boolean): boolean {
    const pid = this.pid();
    if (pid === null) return false;
    this.#wasOrdered = isOrdered;
    try {
      return process.kill(pid, "SIGKILL");
    } catch {
      // The process ended between our look and the kill; its exit event follows.
      return false;
    }
  }

  /** Ends cleanly, by force after 5 s; resolves when the process is gone. */
  async stop(): Promise<void> {
    this.#isStopping = true;
    if (this.#restartTimer !== null) clearTimeout(this.#restartTimer);
    if (this.#process !== null) {
      const gone = new Promise<void>((resolve) => this.#exitWaiters.push(resolve));
      this.#process.send({ type: "stop" });
      const force = setTimeout(() => this.kill(true), STOP_LIMIT_MS);
      await gone;
      clearTimeout(force);
    }
    this.#endPulse();
    if (this.#phase.state !== "finished" && this.#phase.state !== "gave-up")
      this.#setPhase({ state: "stopped" });
  }

  /** After giving up: a fresh budget and a new start. */
  retry(): void {
    this.#withoutProgress = 0;
    this.#isStopping = false;
    this.start();
  }

  #onMessage(child: WorkerProcess, message: FromWorker): void {
    if (child !== this.#process) return;
    const { clock, events } = this.#options;
    if (message.type === "ready") {
      this.#setPhase({ state: "running", pid: message.pid, sinceMs: clock.nowMs() });
    } else if (message.type === "failed") {
      this.#lastError = message.error;
      events.onLog("error", `${message.error.code}: ${message.error.message}`);
    } else if (message.type === "finished" && message.reason !== "stopped") {
      this.#phase = { state: "finished", reason: message.reason };
    } else if (message.type === "log-line") {
      events.onLog(message.level, message.message);
    } else if (message.type === "telemetry") {
      child.send({ type: "telemetry-ack" });
    }
    this.#beat = notePong(this.#beat, clock.monotonicMs());
    events.onMessage(message);
  }

  #onExit(exit: ProcessExit): void {
    this.#process = null;
    const how = describeExit(exit, this.#lastError);
    this.#lastExit = { atMs: this.#options.clock.nowMs(), how };
    this.#options.events.onLog(exit.code === 0 ? "info" : "warn", `process ended: ${how}`);
    for (const waiter of this.#exitWaiters.splice(0)) waiter();
    if (this.#isStopping || this.#phase.state === "finished") {
      this.#endPulse();
      return this.#options.events.onStatus();
    }
    this.#decideRestart(how);
  }

  #decideRestart(how: string): void {
    const decision = nextRestart(this.#withoutProgress, this.#wasOrdered);
    this.#wasOrdered = false;
    // An error of kind user repeats itself until the user acts; restarting would only hide it.
    if (decision.kind === "give-up" || this.#lastError?.kind === "user") {
      this.#endPulse();
      const error = this.#lastError ?? toWireError(gaveUp(this.#options.name, how));
      return this.#setPhase({ state: "gave-up", error });
    }
    this.#withoutProgress = decision.withoutProgress;
    this.#restarts += 1;
    if (decision.afterMs === 0) return this.start();
    this.#setPhase({ state: "backing-off", untilMs: this.#options.clock.nowMs() + decision.afterMs });
    this.#restartTimer = setTimeout(() => this.start(), decision.afterMs);
  }

  #checkPulse(): void {
    if (this.#process === null) return;
    const { beat, verdict } = checkHeartbeat(this.#beat, this.#options.clock.monotonicMs());
    this.#beat = beat;
    this.#process.send({ type: "ping", seq: Math.round(beat.lastCheckMs) });
    const pid = this.pid();
    if (verdict === "kill") this.kill(false);
    else if (verdict === "hanging" && this.#phase.state === "running" && pid !== null) {
      this.#setPhase({ state: "hanging", pid, sinceMs: this.#options.clock.nowMs() });
    } else if (verdict === "alive" && this.#phase.state === "hanging" && pid !== null) {
      this.#setPhase({ state: "running", pid, sinceMs: this.#options.clock.nowMs() });
    }
  }

  #endPulse(): void {
    if (this.#pulse !== null) clearInterval(this.#pulse);
    this.#pulse = null;
  }

  #setPhase(phase: WorkerStatus["phase"]): void {
    this.#phase = phase;
    this.#options.events.onStatus();
  }
}

function describeExit(exit: ProcessExit, error: WireError | null): string {
  if (error !== null) return `${error.code}: ${error.message}`;
  return exit.signal ?? `exit code ${exit.code ?? "unknown"}`;
}

function gaveUp(name: WorkerName, how: string): AppError {
  return new AppError(
    "worker-gave-up",
    `The ${name} worker ended again and again without progress (last: ${how}). Its log file says why; then start it again.`,
    { details: { worker: name } },
  );
}
