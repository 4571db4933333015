import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import type { LedgerHop } from "#storage/model/ledger.ts";
import type { LakeReader } from "#storage/model/lake.ts";
import type { AppendRecord } from "#storage/model/record.ts";
import { eventText } from "../demo-feed/generate/event-text.ts";
import type { FeedPlan } from "../demo-feed/generate/feed-plan.ts";
import { totalsByHop } from "../ledger/account.ts";
import { editsPerMinuteTable } from "../gold/tables/edits-per-minute-table.ts";
import { logRecord } from "./fake-log.test-support.ts";
import { PipelineFixture } from "./pipeline-fixture.test-support.ts";

const SMALL_CASES = join(
  import.meta.dirname,
  "../../../shared/samples/editgroups_2018_recentchange_small_cases.ndjson",
);
const HOUR_MS = 3_600_000;
const plan: FeedPlan = {
  seed: 5,
  startMs: 1_796_040_000_000,
  eventRate: 40,
  events: 20_000,
  canaryStep: 500,
  faults: new Set(["late", "duplicates", "malformed"]),
};

function feedRecords(from: number, to: number): AppendRecord[] {
  return Array.from({ length: to - from }, (_, index) => {
    const k = from + index;
    const record = logRecord(eventText(plan, k), { receivedTimeMs: plan.startMs + k * 25 + 1_000 });
    return k % 50 === 0 ? [record, record] : [record];
  }).flat();
}

function counts(reader: LakeReader): Partial<Record<LedgerHop, number>> {
  const totals = totalsByHop(reader.ledger());
  return Object.fromEntries(Object.entries(totals).map(([hop, { count }]) => [hop, count]));
}

describe("the real log and the real lake", () => {
  test("live, catching up and after restarts, everything is in the lake and verifies", async () => {
    using fixture = new PipelineFixture();
    for (const [index, mode] of (["live", "catching-up", "live"] as const).entries()) {
      fixture.append(feedRecords(index * 400, index * 400 + 400));
      const settings = mode === "live" ? {} : { liveBatchRecords: 10, catchUpRecords: 150 };
      await fixture.run(settings, async (lake) => {
        const checks = await fixture.verify(lake.reader);
        expect(checks.filter(({ verdict }) => verdict !== "ok")).toEqual([]);
      });
    }
    await fixture.run({}, async ({ reader }) => {
      const { bronze = 0, dead_letter: letters = 0, duplicate = 0, received = 0 } = counts(reader);
      expect(received).toBe(1_200 + 24 + 1);
      expect(bronze + letters).toBe(1_200);
      expect(duplicate + (counts(reader).repeat ?? 0)).toBe(24);
      await Promise.resolve();
    });
  });

  test("a redrive amends a settled window that Parquet holds, and gold still is what silver says", async () => {
    using fixture = new PipelineFixture();
    const slow: FeedPlan = { ...plan, eventRate: 1, faults: new Set(["clean"]) };
    const texts = Array.from({ length: 200 }, (_, k) => eventText(slow, k));
    const records = texts.map((text, k) =>
      logRecord(text, { receivedTimeMs: plan.startMs + k * 1_000 + 500 }),
    );
    fixture.append(records, { allowedLatenessMs: 0 });
    await fixture.run({}, async (lake) => void (await lake.seal(Date.now())));
    const missed = eventText(slow, 5_000).replace(
      /"timestamp":\d+/,
      `"timestamp":${plan.startMs / 1_000 + 5}`,
    );
    const redrive = logRecord(missed, { kind: "redrive", detail: '{"originalOffset":1}' });
    // The second is a duplicate of what bronze has held for long: redrive is checked against all of it.
    fixture.append([redrive, logRecord(texts[3] ?? "", { kind: "redrive" })], { allowedLatenessMs: 0 });
    await fixture.run({}, async (lake) => {
      const checks = await fixture.verify(lake.reader);
      expect(checks.filter(({ verdict }) => verdict !== "ok")).toEqual([]);
      expect(counts(lake.reader)).toMatchObject({ bronze: 201, duplicate: 1, dead_letter: 0 });
      const states = new Set<unknown>();
      for await (const batch of lake.reader.scan(editsPerMinuteTable, { columns: ["state"] })) {
        for (const state of batch.columns[0] ?? []) states.add(state);
      }
      expect(states).toEqual(new Set(["open", "settled", "amended"]));
    });
  });
});

if (!existsSync(SMALL_CASES)) process.stderr.write(`RECORDING NOT READ: there is no ${SMALL_CASES}\n`);

// Recordings are not part of the project.
describe.skipIf(!existsSync(SMALL_CASES))("small_cases: 16 events with 10 ids", () => {
  async function bronzeAndDuplicates(dedupHorizonMs: number): Promise<readonly (number | undefined)[]> {
    using fixture = new PipelineFixture();
    const lines = readFileSync(SMALL_CASES, "utf8")
      .split("\n")
      .filter((line) => line !== "");
    const records = lines.map((line) => {
      const seconds = Number(/"timestamp": (\d+)/.exec(line)?.[1]);
      return logRecord(line, { receivedTimeMs: seconds * 1_000 + 1_000 });
    });
    fixture.append(records, { dedupHorizonMs });
    return await fixture.run({}, async (lake) => {
      const checks = await fixture.verify(lake.reader);
      expect(checks.filter(({ verdict }) => verdict !== "ok")).toEqual([]);
      const { bronze, duplicate, dead_letter: letters } = counts(lake.reader);
      return [bronze, duplicate, letters];
    });
  }

  test("13 in bronze and 3 duplicates at a horizon of 1 hour", async () => {
    expect(await bronzeAndDuplicates(HOUR_MS)).toEqual([13, 3, 0]);
  });

  test("10 in bronze and 6 duplicates at a horizon of 200 days", async () => {
    expect(await bronzeAndDuplicates(200 * 24 * HOUR_MS)).toEqual([10, 6, 0]);
  });
});
