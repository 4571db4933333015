import { createCheckoutHost } from "#main/cli/local-host.ts";
import type { FromWorker, StartMessage } from "#pipeline/protocol/worker-messages.ts";

/** One real worker without the rest of the product, as its supervisor would start it. Must be stopped. */
export type WorkerUnderTest = {
  readonly pid: () => number | null;
  /** The newest frame of telemetry. */
  readonly telemetry: () => Extract<FromWorker, { type: "telemetry" }>["telemetry"] | null;
  /** The reason when the process failed or ended by itself; null while all is well. */
  readonly trouble: () => string | null;
  readonly stop: () => Promise<void>;
};

/** Starts the worker of a message in a process of its own. */
export function startWorker(message: StartMessage): WorkerUnderTest {
  const child = createCheckoutHost().start(message.worker, {});
  let telemetry: ReturnType<WorkerUnderTest["telemetry"]> = null;
  let [trouble, isStopping, isGone]: [string | null, boolean, boolean] = [null, false, false];
  const gone = Promise.withResolvers<void>();
  child.onMessage((incoming) => {
    if (incoming.type === "telemetry") {
      telemetry = incoming.telemetry;
      child.send({ type: "telemetry-ack" });
    }
    if (incoming.type === "failed") trouble = `${incoming.error.code}: ${incoming.error.message}`;
  });
  child.onOutput((line) => (trouble ??= isStopping ? null : line));
  child.onExit(({ code, signal }) => {
    isGone = true;
    if (!isStopping) trouble ??= `the ${message.worker} worker ended with ${signal ?? `exit code ${code}`}`;
    gone.resolve();
  });
  child.send(message);
  return {
    pid: child.pid,
    telemetry: () => telemetry,
    trouble: () => trouble,
    stop: async () => {
      isStopping = true;
      const force = setTimeout(() => {
        const pid = child.pid();
        if (!isGone && pid !== null) process.kill(pid, "SIGKILL");
      }, 10_000);
      child.send({ type: "stop" });
      if (!isGone) await gone.promise;
      clearTimeout(force);
    },
  };
}

/** Throws when the worker cannot go on, so that nobody waits for it in vain. */
export function assertWell(worker: WorkerUnderTest): void {
  const trouble = worker.trouble();
  if (trouble !== null) throw new Error(trouble);
}
