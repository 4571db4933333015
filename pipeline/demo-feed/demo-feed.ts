import { rm, stat, writeFile } from "node:fs/promises";
import { AppError } from "#storage/model/errors.ts";
import { type Clock, systemClock } from "#storage/model/clock.ts";
import { isFeedFault } from "../protocol/feed-options.ts";
import type { FeedProgress } from "../protocol/feed-progress.ts";
import type { FeedOptions } from "../protocol/worker-messages.ts";
import { canaryStepOf, DEFAULT_CANARY_INTERVAL_MS, type FeedPlan } from "./generate/feed-plan.ts";
import { ManifestBook, MAX_MANIFEST_EVENTS } from "./manifest/manifest-book.ts";
import { ManifestKeeper } from "./manifest/manifest-keeper.ts";
import { FeedServer } from "./server/feed-server.ts";
import { Producer } from "./server/producer.ts";
import type { NewClients } from "./server/stream-request.ts";

/** Event time of a feed as fast as possible, events a second (issue "Demo feed"). */
const MAX_EVENT_RATE = 2000;
/** An endless feed as fast as possible begins as long ago as Wikimedia's brokers keep events: 7 days. */
const RETENTION_MS = 7 * 24 * 3_600_000;
/** How often connections look for something new: often enough for the rate, seldom enough to cost nothing. */
const MIN_TICK_MS = 20;
const MAX_TICK_MS = 250;
/** Wikimedia's limit per client and server process. */
const MAX_CONNECTIONS_PER_CLIENT = 2;

/** What tests may change beside the options of the command line. */
export type DemoFeedTuning = {
  /** Event time between two canaries; 15 minutes by default. */
  readonly canaryIntervalMs?: number;
  readonly maxConnectionsPerClient?: number;
  /** `everything`: clients without a position always begin at event 0, not only the first one. */
  readonly newClients?: NewClients;
  readonly clock?: Clock;
};

/** Numbers of a feed since its start. */
export type DemoFeedStats = {
  readonly clients: number;
  /** Stream connections that were answered 200. */
  readonly connections: number;
  /** Distinct events that exist by now, canaries not counted. */
  readonly produced: number;
  /** Frames served in full, canaries and second servings included. */
  readonly sent: number;
  readonly progress: FeedProgress;
};

/** A feed that is listening. */
export type DemoFeed = {
  /** Address of the recentchange stream. */
  readonly url: string;
  readonly port: number;
  readonly plan: FeedPlan;
  readonly stats: () => DemoFeedStats;
  /** Ends every open connection inside a frame, as a fault would; returns how many. */
  readonly cutConnections: () => number;
  /** Writes the manifest now; does nothing without a path. */
  readonly writeManifest: () => Promise<void>;
  /** Ends all connections, writes the manifest, closes the port. */
  readonly stop: () => Promise<void>;
};

/** Starts the demo feed on the loopback interface. Rejects with `usage` for an unknown fault, a port that is taken, or a manifest that cannot be written. */
export async function startDemoFeed(options: FeedOptions, tuning: DemoFeedTuning = {}): Promise<DemoFeed> {
  const clock = tuning.clock ?? systemClock;
  const canaryIntervalMs = tuning.canaryIntervalMs ?? DEFAULT_CANARY_INTERVAL_MS;
  const plan = planOf(options, clock, canaryIntervalMs);
  const producer = new Producer(plan, { rate: options.rate, canaryIntervalMs, clock, goOn: options.goOn });
  const book = options.manifestPath === null ? null : new ManifestBook();
  let sent = 0;
  const context = {
    plan,
    producer,
    book,
    connectionMaxMs: options.connectionMaxMs,
    countSent: () => void (sent += 1),
  };
  const server = new FeedServer(context, {
    newClients: tuning.newClients ?? "live-end",
    maxConnectionsPerClient: tuning.maxConnectionsPerClient ?? MAX_CONNECTIONS_PER_CLIENT,
  });
  if (options.manifestPath !== null) await checkWritable(options.manifestPath);
  const port = await listen(server, options.port);
  const tick = setInterval(() => server.wake(), tickMs(options.rate));
  const keeper =
    book === null || options.manifestPath === null
      ? null
      : new ManifestKeeper(options.manifestPath, (isComplete) => ({
          plan,
          book,
          isComplete,
          isWhole: options.goOn === null,
          produced: producer.producedEvents(),
          positions: producer.liveEnd(),
        }));
  let stopped: Promise<void> | null = null;
  const stop = async (): Promise<void> => {
    clearInterval(tick);
    await server.close();
    await keeper?.close();
  };
  return {
    url: `http://127.0.0.1:${port}/v2/stream/recentchange`,
    port,
    plan,
    stats: () => ({
      clients: server.clients,
      connections: server.accepted,
      produced: producer.producedEvents(),
      sent,
      progress: { startMs: plan.startMs, beganMs: producer.beganMs, frontier: producer.frontier },
    }),
    cutConnections: () => server.cut(),
    writeManifest: async () => keeper?.write(),
    stop: () => (stopped ??= stop()),
  };
}

/** A manifest that cannot be written is known before the first event, not after the last. */
async function checkWritable(path: string): Promise<void> {
  const probe = `${path}.partial`;
  try {
    await writeFile(probe, "");
    await rm(probe);
    if ((await stat(path).catch(() => null))?.isDirectory() === true) throw new Error("it is a folder");
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    throw new AppError(
      "usage",
      `the manifest ${path} cannot be written (${why}); name another file with --manifest`,
      {
        cause: error,
      },
    );
  }
}

async function listen(server: FeedServer, port: number): Promise<number> {
  try {
    return await server.listen(port);
  } catch (error) {
    throw new AppError("usage", `the demo feed cannot listen on port ${port}; choose another or 0 for any`, {
      cause: error,
    });
  }
}

function tickMs(rate: number): number {
  return rate === 0 ? MAX_TICK_MS : Math.min(MAX_TICK_MS, Math.max(MIN_TICK_MS, 1000 / rate));
}

/** The plan of the options: everything that decides the bytes. */
function planOf(options: FeedOptions, clock: Clock, canaryIntervalMs: number): FeedPlan {
  const unknown = options.faults.filter((name) => !isFeedFault(name));
  if (unknown.length > 0)
    throw new AppError("usage", `unknown fault of the demo feed: ${unknown.join(", ")}`);
  const eventRate = options.eventRate ?? (options.rate === 0 ? MAX_EVENT_RATE : options.rate);
  const limit = options.manifestPath === null ? Number.POSITIVE_INFINITY : MAX_MANIFEST_EVENTS;
  const historyMs = options.events === null ? RETENTION_MS : (options.events * 1000) / eventRate;
  const startMs =
    options.goOn?.startMs ??
    options.startMs ??
    Math.floor(clock.nowMs() - (options.rate === 0 ? historyMs : 0));
  return {
    seed: options.seed,
    startMs,
    eventRate,
    events: Math.min(options.events ?? Number.POSITIVE_INFINITY, limit),
    canaryStep: canaryStepOf(canaryIntervalMs, eventRate),
    faults: new Set(options.faults.filter(isFeedFault)),
  };
}
