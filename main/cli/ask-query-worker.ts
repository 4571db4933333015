import { existsSync } from "node:fs";
import { dataFolderAt, type DataFolder } from "#storage/files/data-folder.ts";
import { systemClock } from "#storage/model/clock.ts";
import { AppError, fromWireError } from "#storage/model/errors.ts";
import type { QueryRequest, QueryResponse } from "#pipeline/protocol/query-messages.ts";
import { PendingQueries } from "../engine/pending-queries.ts";
import { SupervisedWorker } from "../supervisor/supervised-worker.ts";
import { createCheckoutHost } from "./local-host.ts";

/** A query worker of the command line's own: it needs no lock and works while another process writes. */
export type QueryWorker = {
  readonly ask: (request: QueryRequest) => Promise<QueryResponse>;
  readonly close: () => Promise<void>;
};

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
  const queries = new PendingQueries((message) => worker.send(message));
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
      },
      onLog: (level, line) => {
        if (level === "error" && errors.push(line) > 50) errors.shift();
      },
    },
  });
  worker.start();
  const abort = new AbortController();
  const onSignal = (): void => abort.abort();
  process.once("SIGINT", onSignal);
  return {
    ask: (request) => Promise.race([queries.ask(request, abort.signal), failed]),
    close: async () => {
      process.off("SIGINT", onSignal);
      await worker.stop();
    },
  };
}

/** Asks one question and closes the worker again. */
export async function askOnce(root: string, request: QueryRequest): Promise<QueryResponse> {
  const worker = await openQueryWorker(root);
  try {
    return await worker.ask(request);
  } finally {
    await worker.close();
  }
}
