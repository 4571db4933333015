import type { FromWorker, ToWorker } from "../protocol/worker-messages.ts";

/** A worker's line to its parent: a utilityProcess port in Electron, the child_process channel elsewhere. */
export type ParentLine = {
  /** Sends one message; does nothing once the parent is gone. */
  readonly send: (message: FromWorker) => void;
  readonly onMessage: (listener: (message: ToWorker) => void) => void;
  /** Called once when the parent can no longer be reached. */
  readonly onGone: (listener: () => void) => void;
};

/** Electron's port has no type outside Electron, so it is recognised by its shape. */
type UtilityPort = {
  readonly postMessage: (message: unknown) => void;
  readonly on: (event: "message", listener: (event: { readonly data: ToWorker }) => void) => void;
};

function utilityPort(): UtilityPort | null {
  const port: unknown = Reflect.get(process, "parentPort");
  return isUtilityPort(port) ? port : null;
}

function isUtilityPort(value: unknown): value is UtilityPort {
  return typeof value === "object" && value !== null && "postMessage" in value && "on" in value;
}

/** How often the parent's pid is compared: an orphan is adopted by another process. Architecture: gone within 2 s. */
const PARENT_CHECK_MS = 500;

/** A terminal sends these to the parent and to us alike. The parent then stops us in order; dying at once would spoil that. */
const TERMINAL_SIGNALS = ["SIGINT", "SIGHUP"] as const;

/** Opens the line to whoever started this process. Throws when nobody did. */
export function openParentLine(): ParentLine {
  for (const name of TERMINAL_SIGNALS) process.on(name, () => undefined);
  const gone: (() => void)[] = [];
  let isGone = false;
  const tellGone = (): void => {
    if (isGone) return;
    isGone = true;
    // `process.exit` waits for native threads, and a query of an hour would keep an orphan for that hour.
    process.on("exit", () => process.kill(process.pid, "SIGKILL"));
    for (const listener of gone) listener();
  };
  const parentPid = process.ppid;
  setInterval(() => {
    if (process.ppid !== parentPid) tellGone();
  }, PARENT_CHECK_MS).unref();
  const onGone = (listener: () => void): void => void gone.push(listener);

  const port = utilityPort();
  if (port !== null) {
    return {
      send: (message) => {
        if (!isGone) port.postMessage(message);
      },
      onMessage: (listener) => port.on("message", (event) => listener(event.data)),
      onGone,
    };
  }
  if (process.send === undefined)
    throw new Error("a worker is started by the app or the command line, not by hand");
  process.on("disconnect", tellGone);
  return {
    send: (message) => {
      // The error callback keeps a parent that died between check and write from crashing us; `disconnect` follows.
      if (process.connected) process.send?.(message, undefined, undefined, () => undefined);
    },
    onMessage: (listener) => process.on("message", (message: ToWorker) => listener(message)),
    onGone,
  };
}
