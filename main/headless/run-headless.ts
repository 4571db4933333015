import type { AppStatus, Banner, WorkerStatus } from "../contract/app-status.ts";
import { type EngineOptions, startEngine } from "../compose.ts";
import { formatBanner, formatStatusLine, formatSummary } from "./terminal-text.ts";
import type { Engine } from "../engine/engine-contract.ts";
import type { Output } from "../cli/command.ts";

/** What a run in the terminal ended with. */
export type HeadlessResult = {
  readonly status: AppStatus;
  readonly elapsedMs: number;
  /** done: all work done. time: `--for` is over. interrupted: Ctrl+C. gave-up: a worker or the source cannot go on. */
  readonly ended: "done" | "time" | "interrupted" | "gave-up";
};

/** Without a terminal a line is written this often, so that a log stays short. */
const PLAIN_INTERVAL_MS = 10_000;
/** Longer than stopping one set of workers (5 s) and starting another. */
const FALLBACK_GRACE_MS = 15_000;

/** Runs the pipeline without a window until its end, `forMs`, or a signal; always stops the workers cleanly. */
export async function runHeadless(
  options: EngineOptions,
  forMs: number | null,
  output: Output,
): Promise<HeadlessResult> {
  const started = performance.now();
  const interrupted = untilSignal();
  const engine = await startEngine(options);
  let lastLine = -PLAIN_INTERVAL_MS;
  let banners: readonly Banner[] = [];
  const tellNews = (now: readonly Banner[]): void => {
    for (const banner of now)
      if (!banners.some(({ id }) => id === banner.id)) output.notice(formatBanner(banner));
    banners = now;
  };
  const unsubscribe = engine.onStatus((status) => {
    tellNews(status.banners);
    output.progress(formatStatusLine(status));
    if (output.isTty || performance.now() - lastLine < PLAIN_INTERVAL_MS) return;
    lastLine = performance.now();
    output.line(formatStatusLine(status));
  });
  const time = untilTime(forMs);
  const first = await Promise.race([
    engine.done.then(() => "done" as const),
    interrupted.signal.then(() => "interrupted" as const),
    time.over.then(() => "time" as const),
    untilFailed(engine, options.source === null ? FALLBACK_GRACE_MS : 0).then(() => "gave-up" as const),
  ]);
  time.cancel();
  // What was wrong while it ran; a stopped worker is no longer failing at anything. A run may end before the next status.
  tellNews(engine.status().banners);
  const failing = engine.status().workers.filter(isFailing);
  for (const { name, lastExit } of failing)
    output.notice(`The ${name} worker could not go on (${lastExit?.how ?? "unknown"}).`);
  await engine.stop();
  // Not before: one Ctrl+C may arrive twice (npm passes it on), and the stop is bounded anyway.
  interrupted.cancel();
  unsubscribe();
  const status = { ...engine.status(), banners };
  const gaveUp = failing.length > 0 || status.workers.some(({ phase }) => phase.state === "gave-up");
  const result = {
    status,
    elapsedMs: performance.now() - started,
    ended: gaveUp ? ("gave-up" as const) : first,
  };
  for (const line of formatSummary(status, result.elapsedMs)) output.line(line);
  return result;
}

/** It ended again and again, or it told an error (`code: message`) and is being started again. */
function isFailing({ phase, lastExit }: WorkerStatus): boolean {
  if (phase.state === "backing-off") return true;
  return phase.state === "starting" && /^[a-z-]+: /.test(lastExit?.how ?? "");
}

/**
 * A source that stopped for good (wrong address, refused): a terminal run cannot go on, a person must change something.
 * Where no source was named, the demo feed gets its time to stand in first.
 */
function untilFailed(engine: Engine, graceMs: number): Promise<void> {
  const isFailed = (status: AppStatus): boolean => status.ingest?.connection.state === "failed";
  return new Promise((resolve) => {
    let timer: NodeJS.Timeout | null = null;
    engine.onStatus((status) => {
      if (!isFailed(status)) {
        if (timer !== null) clearTimeout(timer);
        timer = null;
        return;
      }
      timer ??= setTimeout(resolve, graceMs);
      timer.unref();
    });
  });
}

function untilTime(forMs: number | null): { over: Promise<void>; cancel: () => void } {
  let timer: NodeJS.Timeout | null = null;
  const over = new Promise<void>((resolve) => {
    if (forMs !== null) timer = setTimeout(resolve, forMs);
  });
  return { over, cancel: () => (timer === null ? undefined : clearTimeout(timer)) };
}

function untilSignal(): { signal: Promise<void>; cancel: () => void } {
  let listener: () => void = () => undefined;
  const signal = new Promise<void>((resolve) => (listener = () => resolve()));
  for (const name of ["SIGINT", "SIGTERM", "SIGHUP"] as const) process.on(name, listener);
  return {
    signal,
    cancel: () => {
      for (const name of ["SIGINT", "SIGTERM", "SIGHUP"] as const) process.off(name, listener);
    },
  };
}
