import { compareDeadLetterBytes } from "./judge-bytes.ts";
import { expectSameFeed, expectSameLog } from "./compare-tables.ts";
import { type Dump, dumpLake } from "./dump-lake.ts";
import type { EngineRun } from "./engine-run.ts";
import type { Wish } from "./fast-settings.ts";
import { judgeByManifest, type Judgement } from "./judge-manifest.ts";
import { replayLog } from "./pipeline-alone.ts";
import type { Scope } from "./scope.ts";
import { expectVerified } from "./verify-lake.ts";

/** What a finished run is judged by. */
export type Judging = {
  /** The tables of an undisturbed run over the same feed; null where there is none. */
  readonly reference: Dump | null;
  /** `at most` where ingest or a connection died with bytes on their way. */
  readonly servings: "exact" | "at most";
  /** Also replay the run's own log undisturbed; not possible where retention removed a part of it. */
  readonly replays: boolean;
  readonly wish?: Wish;
};

/** Judges a stopped run by manifest, reference, replay of its own log and the product's own `verify`. */
export async function judgeRun(scope: Scope, run: EngineRun, judging: Judging): Promise<Judgement> {
  const { source } = run;
  const dump = await dumpLake(run.folder);
  const judgement = await judgeByManifest(dump, run.manifestPath, judging.servings);
  compareDeadLetterBytes(dump);
  if (judging.reference !== null) expectSameFeed(dump, judging.reference);
  if (judging.replays) expectSameLog(dump, await replayLog(scope, run.folder, source, judging.wish));
  await expectVerified(run.folder, run.manifestPath);
  return judgement;
}
