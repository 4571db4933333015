import { mkdirSync } from "node:fs";
import { expect, test } from "vitest";
import { dataFolderAt } from "#storage/files/data-folder.ts";
import { PipelineFixture, SOURCE } from "../batch/pipeline-fixture.test-support.ts";
import { logRecord } from "../batch/fake-log.test-support.ts";
import { whyNotProcessAgain } from "./process-again.ts";

test("a log that holds everything behind the checkpoint can be processed again; a missing log and a shorter one are named", () => {
  using fixture = new PipelineFixture();
  const folder = dataFolderAt(fixture.root);
  fixture.append([logRecord("{}"), logRecord("{}")]);
  for (const checkpoint of [0, 1, 2, 3])
    expect(whyNotProcessAgain(folder, new Map([[SOURCE, checkpoint]]))).toBeNull();
  expect(whyNotProcessAgain(folder, new Map())).toBeNull();
  expect(whyNotProcessAgain(folder, new Map([["gone", 7]]))).toMatch(/no log of gone any more/);
  // A source that the old catalog does not know yet: its log must be there from the beginning.
  mkdirSync(folder.log("begun" as typeof SOURCE), { recursive: true });
  expect(whyNotProcessAgain(folder, new Map([[SOURCE, 1]]))).toMatch(/no log of begun any more/);
});
