import { parentPort } from "node:worker_threads";
import { armFailpoint, armFailpointFromEnv, disarmFailpoint } from "#storage/failpoint/failpoint.ts";
import { AppError, toWireError } from "#storage/model/errors.ts";
import { isFailpointName } from "#storage/model/failpoints.ts";
import type { FromDecider, ToDecider } from "./decide-messages.ts";
import { DecidingSources } from "./deciding-sources.ts";

// The deciding thread of the pipeline worker. An error that is no AppError is a bug: it ends the thread, and the process with it.

const port = parentPort;
if (port === null) throw new Error("the deciding thread is started by the pipeline worker");
armFailpointFromEnv(isFailpointName);

const post = (message: FromDecider, memory: readonly ArrayBuffer[] = []): void =>
  port.postMessage(message, memory);

const fail = (error: unknown): void => {
  if (!(error instanceof AppError)) throw error;
  post({ type: "failed", error: toWireError(error) });
};

let sources: DecidingSources | null = null;

port.on("message", (message: ToDecider) => {
  if (message.type === "begin") {
    sources = new DecidingSources(message.start, post);
    sources.run().catch(fail);
  } else if (message.type === "arm-failpoint") armFailpoint(message.name, message.hit, message.reportPath);
  else if (message.type === "disarm-failpoint") disarmFailpoint();
  else if (message.type === "settings") sources?.applySettings(message.settings);
  else if (message.type === "done") sources?.done(message.turn, message.published);
  else {
    const stopping = sources?.stop() ?? Promise.resolve();
    stopping
      .then(() => {
        post({ type: "stopped" });
        port.close();
      })
      .catch(fail);
  }
});
