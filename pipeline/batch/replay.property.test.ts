import fc from "fast-check";
import { expect, test } from "vitest";
import { LEDGER_HOPS } from "#storage/model/ledger.ts";
import { editsPerMinuteTable } from "../gold/tables/edits-per-minute-table.ts";
import { parseExtra } from "./batch-state.ts";
import { histories } from "./history.test-support.ts";
import { contentOf, replay } from "./replay.test-support.ts";

const SEED = Number(process.env["HIGHWATER_SEED"] ?? Date.now() % 2 ** 31);
const RUNS = Number(process.env["HIGHWATER_RUNS"] ?? 60);

const cuts = fc.array(fc.record({ size: fc.integer({ min: 1, max: 12 }), restart: fc.boolean() }), {
  minLength: 1,
  maxLength: 8,
});

test(`any batches and any restarts give the tables, ledger, gaps and state of one run (seed ${SEED})`, async () => {
  await fc.assert(
    fc.asyncProperty(histories, cuts, async (history, cut) => {
      const whole = contentOf(await replay(history));
      expect(contentOf(await replay(history, cut))).toEqual(whole);
      expect(contentOf(await replay(history, [{ size: 1, restart: true }]))).toEqual(whole);
    }),
    { seed: SEED, numRuns: RUNS },
  );
});

// A fixed seed: this is about the generator, and the rarest outcome comes in a few of 150 histories.
test("the histories hold every outcome, so that the comparison means something", async () => {
  const seen = new Set<string>();
  for (const history of fc.sample(histories, { seed: 1, numRuns: 150 })) {
    const lake = await replay(history);
    for (const { hop } of lake.ledgerEntries) seen.add(hop);
    for (const row of lake.records(editsPerMinuteTable)) seen.add(`window ${String(row["state"])}`);
    for (const gap of lake.gaps.values()) {
      seen.add(gap.topic === "" ? `lost: ${gap.reason.replace(/ from \d.*/, "")}` : `gap ${gap.state}`);
    }
    const { excluded } = parseExtra(lake.sourceState?.extra ?? "{}");
    if (Object.values(excluded).some((rows) => rows > 0)) seen.add("excluded");
  }
  const windows = ["window open", "window settled", "window amended", "excluded"];
  const gaps = ["gap open", "gap asked", "gap repaired", "gap explained"];
  const lost = [
    "lost: records of the log that cannot be read",
    "lost: the log lost these records; the source was asked again from before them",
    "lost: the source refused the stored position (status 400) and was asked",
  ];
  expect([...LEDGER_HOPS, ...windows, ...gaps, ...lost].filter((outcome) => !seen.has(outcome))).toEqual([]);
});
