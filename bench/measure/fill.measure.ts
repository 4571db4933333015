import type { FeedPlan } from "#pipeline/demo-feed/generate/feed-plan.ts";
import { dataFolderAt } from "#storage/files/data-folder.ts";
import { toSourceName } from "#storage/model/brand.ts";
import { type CorpusRecord, readCorpus } from "../corpus/corpus-file.ts";
import { fillLog } from "../corpus/fill-log.ts";
import { corpusFrames, corpusPlan } from "../corpus/frames.ts";
import { answer } from "./answer.ts";

await answer("fill", ({ root, source, content: { corpusPath, events, eventRate } }) => {
  const plan = corpusPlan(events, eventRate);
  const records = corpusPath === null ? generated(plan) : readCorpus(corpusPath);
  return fillLog(dataFolderAt(root), toSourceName(source), plan, records);
});

function* generated(plan: FeedPlan): Generator<CorpusRecord> {
  for (const { id, data } of corpusFrames(plan)) yield { id, data: Buffer.from(data) };
}
