import { Worker } from "node:worker_threads";
import { AppError, fromWireError } from "#storage/model/errors.ts";
import type { FromDecider, ToDecider } from "./decide-messages.ts";

/** The deciding thread as the writing thread sees it. */
export type DecidingThread = {
  readonly post: (message: ToDecider) => void;
  /** Asks it to end, and resolves when it has ended, however it did. */
  readonly stop: () => Promise<void>;
};

/** What the writing thread is told. */
export type DecidingEvents = {
  readonly onMessage: (message: Exclude<FromDecider, { type: "failed" | "stopped" }>) => void;
  /** Once at most: an AppError of its own, `worker-protocol` when it ended unasked, else the bug that ended it. */
  readonly onFailed: (error: unknown) => void;
};

/** In the source tree and in the bundle alike the thread's entry lies beside this module. */
const ENTRY = new URL(`decide.worker${import.meta.url.endsWith(".ts") ? ".ts" : ".js"}`, import.meta.url);

/** Starts the thread; it loads its modules while the caller goes on, and waits for `begin`. */
export function startDecidingThread(events: DecidingEvents, entry: URL = ENTRY): DecidingThread {
  const thread = new Worker(entry);
  const exited = Promise.withResolvers<void>();
  let [hasBegun, isStopping, hasFailed, hasStopped] = [false, false, false, false];
  const fail = (error: unknown): void => {
    if (hasFailed || hasStopped) return;
    hasFailed = true;
    events.onFailed(error);
  };
  thread.on("message", (message: FromDecider) => {
    if (message.type === "failed") fail(fromWireError(message.error));
    else if (message.type === "stopped") hasStopped = true;
    else events.onMessage(message);
  });
  thread.on("error", fail);
  thread.on("exit", (code) => {
    if (!isStopping)
      fail(new AppError("worker-protocol", `the deciding thread ended by itself with code ${code}`));
    exited.resolve();
  });
  return {
    post: (message) => {
      hasBegun = true;
      thread.postMessage(message);
    },
    stop: async () => {
      isStopping = true;
      // Nothing to end in good order: what it decided and did not hand over is in the log.
      if (hasFailed || !hasBegun) await thread.terminate();
      else thread.postMessage({ type: "stop" } satisfies ToDecider);
      await exited.promise;
    },
  };
}
