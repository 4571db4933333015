import { fork } from "node:child_process";
import { join } from "node:path";
import { workerNodePath } from "#main/engine/node-path.ts";
import { PROJECT_ROOT } from "#main/cli/checkout.ts";

/** A process that serves a corpus file. Must be stopped. */
export type CorpusServer = {
  /** The whole file, then the end. */
  readonly rawUrl: string;
  /** The same bytes as an event stream that stays open behind its last frame. */
  readonly streamUrl: string;
  readonly stop: () => void;
};

/** Starts a server for a corpus file on the loopback interface, in a process of its own. */
export async function startCorpusServer(path: string): Promise<CorpusServer> {
  const child = fork(join(import.meta.dirname, "serve-corpus.ts"), [path], {
    execPath: workerNodePath(PROJECT_ROOT),
    execArgv: ["--disable-warning=ExperimentalWarning"],
  });
  const { promise, resolve, reject } = Promise.withResolvers<number>();
  child.on("message", (message: { readonly port: number }) => resolve(message.port));
  child.on("error", reject);
  child.on("exit", (code) => reject(new Error(`the corpus server ended with exit code ${code}`)));
  const origin = `http://127.0.0.1:${await promise}`;
  return {
    rawUrl: `${origin}/raw`,
    streamUrl: `${origin}/v2/stream/recentchange`,
    stop: () => void child.kill("SIGTERM"),
  };
}
