import { mkdirSync, rmSync } from "node:fs";
import { expect, test } from "vitest";
import { listSegmentFiles } from "#storage/log/segment-path.ts";
import { NEW_LAKE, openLogWriter } from "#storage/log/log-writer.ts";
import { toSourceName } from "#storage/model/brand.ts";
import { NO_INGEST_COUNTERS } from "#storage/model/record.ts";
import { DEFAULT_RESULT_SETTINGS, DEFAULT_SETTINGS } from "#storage/model/settings.ts";
import { logRecord } from "../batch/fake-log.test-support.ts";
import { PipelineFixture, SOURCE } from "../batch/pipeline-fixture.test-support.ts";
import { whyNotProcessAgain } from "./process-again.ts";

/** A log of two segments: offsets 1 to 3 and 4 to 6, each begun by a settings record. */
function beginTwoSegments(fixture: PipelineFixture): void {
  const log = openLogWriter({
    folder: fixture.folder.log(SOURCE),
    source: SOURCE,
    quarantine: fixture.folder.quarantine,
    lake: () => NEW_LAKE,
    settings: DEFAULT_RESULT_SETTINGS,
    limits: { ...DEFAULT_SETTINGS.ingest, segmentMaxBytes: 1 },
  });
  for (let segment = 0; segment < 2; segment += 1) {
    log.append([logRecord("{}"), logRecord("{}")], null, NO_INGEST_COUNTERS);
    if (segment === 0) log.rotateIfDue(Date.now());
  }
  log.close();
}

test("a log that holds everything behind the checkpoint can be processed again; one that begins later, or is gone, is named", () => {
  using fixture = new PipelineFixture();
  const { folder } = fixture;
  beginTwoSegments(fixture);
  for (const checkpoint of [0, 1, 3, 6])
    expect(whyNotProcessAgain(folder, new Map([[SOURCE, checkpoint]]))).toBeNull();
  expect(whyNotProcessAgain(folder, new Map())).toBeNull();
  expect(whyNotProcessAgain(folder, new Map([["gone", 7]]))).toMatch(/no log of gone any more/);

  const [first] = listSegmentFiles(folder.log(SOURCE));
  rmSync(first?.path ?? "");
  expect(whyNotProcessAgain(folder, new Map([[SOURCE, 3]]))).toBeNull();
  expect(whyNotProcessAgain(folder, new Map([[SOURCE, 2]]))).toMatch(/begins at offset 4: .* from 3 on/);
  expect(whyNotProcessAgain(folder, new Map())).toMatch(/begins at offset 4: .* from 1 on/);

  // Begun, but it holds nothing: what an old catalog lacks of it is nowhere.
  mkdirSync(folder.log(toSourceName("begun")), { recursive: true });
  expect(whyNotProcessAgain(folder, new Map([[SOURCE, 3]]))).toMatch(/no log of begun any more/);
});
