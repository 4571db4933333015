import { dataFolderAt } from "#storage/files/data-folder.ts";
import { openQuerySession } from "#storage/query/query-session.ts";
import type { StartMessage } from "../protocol/worker-messages.ts";
import { QueryDesk } from "./query-desk.ts";
import { runWorker, type RunningWorker, type WorkerPort } from "./worker-shell.ts";

type QueryStart = StartMessage & { worker: "query" };

/** The query worker: reads the lake of a data folder while another process writes it. Needs no lock and no lake yet. */
runWorker(isQueryStart, startQuery);

function isQueryStart(message: StartMessage): message is QueryStart {
  return message.worker === "query";
}

async function startQuery(message: QueryStart, port: WorkerPort): Promise<RunningWorker> {
  const folder = dataFolderAt(message.dataFolder);
  const session = openQuerySession({ folder });
  const { promise: finished, reject } = Promise.withResolvers<never>();
  const desk = new QueryDesk({ session, folder }, port.send, reject);
  return {
    info: {},
    telemetry: () => ({
      worker: "query",
      running: desk.running,
      rssBytes: process.memoryUsage.rss(),
      atMs: Date.now(),
    }),
    onMessage: (next) => desk.onMessage(next),
    stop: async () => {
      await desk.stop();
      await session.close();
    },
    finished,
  };
}
