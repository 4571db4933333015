import { DEFAULT_RESULT_SETTINGS } from "#storage/model/settings.ts";
import { type Dump, dumpLake } from "./dump-lake.ts";
import { EngineRun } from "./engine-run.ts";
import type { Wish } from "./fast-settings.ts";
import type { Scope } from "./scope.ts";
import type { SseServer } from "./sse-server.ts";
import { expectVerified } from "./verify-lake.ts";

/** Starts the real workers on a test server, with the product's own lateness and windows and short limits for the rest. */
export async function startCase(
  scope: Scope,
  server: SseServer,
  wish: Wish = {},
  root?: string,
): Promise<EngineRun> {
  return EngineRun.start({
    scope,
    source: server.url,
    wish: { ...wish, result: { ...DEFAULT_RESULT_SETTINGS, ...wish.result } },
    ...(root === undefined ? {} : { root }),
  });
}

/**
 * The end of every case: no worker restarted unasked, `verify` is green (its ledger check included), a second start is clean.
 * Returns the tables of the first start.
 */
export async function endCase(
  scope: Scope,
  run: EngineRun,
  server: SseServer,
  mayNotTell: readonly string[] = [],
): Promise<Dump> {
  await run.stop();
  await expectVerified(run.folder, null, mayNotTell);
  const dump = await dumpLake(run.folder);
  const again = await startCase(scope, server, {}, run.folder.root);
  await again.untilRunning("pipeline");
  await again.untilRunning("ingest");
  await again.stop();
  return dump;
}
