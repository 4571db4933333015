import { existsSync } from "node:fs";
import { dataFolderAt, type DataFolder } from "#storage/files/data-folder.ts";
import { systemClock } from "#storage/model/clock.ts";
import { AppError, fromWireError } from "#storage/model/errors.ts";
import type { QueryProgress, QueryRequest, QueryResponse } from "#pipeline/protocol/query-messages.ts";
import { PendingQueries } from "../engine/pending-queries.ts";
import { SupervisedWorker } from "../supervisor/supervised-worker.ts";
import { createCheckoutHost } from "./local-host.ts";

/** A query worker of the command line's own: it needs no lock and works while another process writes. */
export type QueryWorker = {
  readonly ask: (
    request: QueryRequest,
    onProgress?: (progress: QueryProgress) => void,
  ) => Promise<QueryResponse>;
  readonly close: () => Promise<void>;
};

/** What ends a command; one keypress may arrive twice (npm passes it on), so none of them ends this process by itself. */
const SIGNALS = ["SIGINT", "SIGTERM", "SIGHUP"] as const;
/** A statement that has not given way by then is left to the end of its worker. */
const CANCEL_LIMIT_MS = 2_000;

/** Throws `data-folder-unusable` where there is no lake yet. */
export function requireLake(root: string): DataFolder {
  const folder = dataFolderAt(root);
  if (existsSync(folder.catalog)) return folder;
  throw new AppError(
    "data-folder-unusable",
    `There is no lake in ${folder.root} yet. Start one with: highwater run --data ${folder.root}`,
  );
}

/** Starts a query worker on a data folder; must be closed. Ctrl+C cancels what runs and ends it. */
export async function openQueryWorker(root: string): Promise<QueryWorker> {
  const folder = requireLake(root);
  const errors: string[] = [];
  let fail: (error: AppError) => void = () => undefined;
  const failed = new Promise<never>((_resolve, reject) => (fail = reject));
  failed.catch(() => undefined);
  const queries = new PendingQueries({
    send: (message) => worker.send(message),
    // Ctrl+C ends the command, and its worker with it.
    replaceWorker: () => false,
  });
  const worker: SupervisedWorker = new SupervisedWorker({
    name: "query",
    host: createCheckoutHost(),
    clock: systemClock,
    startMessage: () => ({ type: "start", worker: "query", dataFolder: folder.root }),
    events: {
      onMessage: (message) => {
        queries.take(message);
        if (message.type === "failed") fail(fromWireError(message.error));
      },
      onStatus: () => {
        const { phase } = worker.status();
        if (phase.state === "gave-up") fail(fromWireError(phase.error));
        // The next process knows nothing of the question: whoever waits for it would wait for ever.
        if (worker.status().restarts > 0) fail(workerDied(worker.status().lastExit?.how, errors));
      },
      onLog: (level, line) => {
        if (level === "error" && errors.push(line) > 50) errors.shift();
      },
    },
  });
  worker.start();
  const abort = new AbortController();
  const onSignal = (): void => {
    abort.abort();
    setTimeout(() => fail(new AppError("statement-cancelled", "cancelled")), CANCEL_LIMIT_MS).unref();
  };
  for (const name of SIGNALS) process.on(name, onSignal);
  return {
    ask: (request, onProgress) => Promise.race([queries.ask(request, abort.signal, onProgress), failed]),
    close: async () => {
      await worker.stop();
      for (const name of SIGNALS) process.off(name, onSignal);
    },
  };
}

function workerDied(how: string | undefined, lines: readonly string[]): AppError {
  // A crash says its reason in its last output; a kill (out of memory) says nothing.
  const reason = lines.findLast((line) => /^\w*Error\b/.test(line)) ?? "it may have run out of memory";
  return new AppError(
    "worker-gone",
    `The query worker ended before it answered (${how ?? "unknown"}: ${reason}); nothing was changed.`,
  );
}

/** Asks one question and closes the worker again. */
export async function askOnce(
  root: string,
  request: QueryRequest,
  onProgress?: (progress: QueryProgress) => void,
): Promise<QueryResponse> {
  const worker = await openQueryWorker(root);
  try {
    return await worker.ask(request, onProgress);
  } finally {
    await worker.close();
  }
}
