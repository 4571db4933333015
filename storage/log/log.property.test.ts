import { cpSync, rmSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { toOffset } from "../model/brand.ts";
import { DEFAULT_RESULT_SETTINGS } from "../model/settings.ts";
import { event, LogFixture, readAll, textOf } from "./log-fixture.test-support.ts";
import { NEW_LAKE, openLogWriter } from "./log-writer.ts";

type Step =
  | { readonly do: "append"; readonly count: number }
  | { readonly do: "lateness"; readonly ms: number }
  | { readonly do: "rotate" | "reopen" | "crash" | "retain" };

const step: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.record({ do: fc.constant("append" as const), count: fc.integer({ min: 0, max: 700 }) }),
  },
  fc.record({ do: fc.constant("lateness" as const), ms: fc.constantFrom(0, 1_000, 2_000) }),
  {
    weight: 3,
    arbitrary: fc.constantFrom<Step>({ do: "rotate" }, { do: "reopen" }, { do: "crash" }, { do: "retain" }),
  },
);

/**
 * Runs a history. The cursor of an append is the number of events so far, so that I4 can be checked: the cursor equals
 * the number of events in the log. "crash" copies the folder while it is open, as a killed process leaves it.
 */
function runHistory(steps: readonly Step[]): void {
  const log = new LogFixture();
  try {
    const limits = { segmentMaxBytes: 1, segmentMaxAgeMs: 3_600_000 };
    let writer = log.writer({ limits });
    let sent = 0;
    for (const one of steps) {
      log.nowMs += 1;
      if (one.do === "append") {
        const records = Array.from({ length: one.count }, (_, index) =>
          event(`${sent + index + 1}`, log.nowMs),
        );
        sent += one.count;
        writer.append(records, String(sent), writer.counters());
      } else if (one.do === "lateness")
        writer.changeSettings({ ...DEFAULT_RESULT_SETTINGS, allowedLatenessMs: one.ms }, log.nowMs);
      else if (one.do === "rotate") writer.rotateIfDue(log.nowMs);
      else if (one.do === "retain")
        writer.applyRetention({
          keepFrom: toOffset(writer.head()),
          keepMs: 3,
          keepBytes: 1e9,
          nowMs: log.nowMs,
        });
      else if (one.do === "reopen") {
        writer.close();
        writer = log.writer({ limits });
      } else checkCrashed(log, writer.head(), sent);
    }
    checkLog(log, log.folder, writer.head(), sent);
    expect(writer.cursor() ?? "0").toBe(String(sent));
  } finally {
    log.dispose();
  }
}

function checkCrashed(log: LogFixture, head: number, sent: number): void {
  const folder = join(log.root, "crashed");
  cpSync(log.folder, folder, { recursive: true });
  const writer = openLogWriter({
    folder,
    source: log.source,
    quarantine: log.quarantine,
    lake: () => ({ ...NEW_LAKE, checkpoint: toOffset(head) }),
    settings: null,
    limits: { segmentMaxBytes: 1, segmentMaxAgeMs: 1 },
  });
  try {
    expect(writer.takeover).toEqual({ quarantined: [], tailLost: null });
    expect([writer.head(), writer.cursor() ?? "0"]).toEqual([head, String(sent)]);
    checkLog(log, folder, head, sent);
  } finally {
    writer.close();
    rmSync(folder, { recursive: true });
  }
}

function checkLog(log: LogFixture, folder: string, head: number, sent: number): void {
  const reader = log.reader(folder);
  const records = readAll(reader, reader.tail(), 333);
  expect(records.map(({ offset }) => offset)).toEqual(
    Array.from({ length: head - reader.tail() + 1 }, (_, index) => reader.tail() + index),
  );
  expect(records[0]?.kind).toBe("settings");
  const texts = records.filter(({ kind }) => kind === "event").map((record) => Number(textOf(record)));
  expect(texts).toEqual(Array.from({ length: texts.length }, (_, index) => sent - texts.length + 1 + index));
  let inForce: unknown = null;
  for (const record of records) {
    if (record.kind !== "settings") continue;
    inForce = JSON.parse(textOf(record) ?? "");
    expect(reader.settingsAt(record.offset)).toEqual(inForce);
  }
  expect(reader.settingsAt(toOffset(head))).toEqual(inForce);
  reader.close();
}

/** Printed in the test's title; HIGHWATER_SEED repeats a run. */
const seed = Number(process.env["HIGHWATER_SEED"] ?? Date.now() % 1_000_000);

describe("any history of a log", () => {
  test(`I4: leaves dense offsets, all events in order, and the cursor exactly at the last one (seed ${seed})`, () => {
    fc.assert(fc.property(fc.array(step, { minLength: 1, maxLength: 14 }), runHistory), {
      seed,
      numRuns: 25,
    });
  });
});
