import { writeCorpus } from "../corpus/corpus-file.ts";
import { corpusPlan } from "../corpus/frames.ts";
import { answer } from "./answer.ts";

await answer("corpus", ({ path, events, eventRate }) => writeCorpus(path, corpusPlan(events, eventRate)));
