import { expect, test } from "vitest";
import { isFirstRun } from "./first-run.ts";
import { exampleIngest, examplePipeline } from "../bridge/status.test-support.ts";

const INGEST = { ...exampleIngest(), head: 0 };
const PIPELINE = { ...examplePipeline(), checkpoint: 0 };

test("only a folder of which both workers say that nothing came is a first run", () => {
  expect(isFirstRun(INGEST, PIPELINE)).toBe(true);
  expect(isFirstRun({ ...INGEST, head: 1 }, { ...PIPELINE, checkpoint: 1 })).toBe(true);
  expect(isFirstRun(null, PIPELINE)).toBe(false);
  expect(isFirstRun(INGEST, null)).toBe(false);
  expect(isFirstRun({ ...INGEST, head: 2 }, PIPELINE)).toBe(false);
  expect(isFirstRun(INGEST, { ...PIPELINE, checkpoint: 2 })).toBe(false);
});
