import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { z } from "zod";
import { startCli } from "../support/cli-process.ts";
import { dumpLake, rowsOf } from "../support/dump-lake.ts";
import { EngineRun } from "../support/engine-run.ts";
import { testScope } from "../support/scope.ts";

const EVENTS = 1_500;
const EXPORTS = 4;

const toldSchema = z.object({ rows: z.int(), snapshotId: z.int() });
const rowSchema = z.object({ log_offset: z.coerce.number() });

test("exports while rows move from hot to sealed hold each row of their snapshot once", async () => {
  const scope = testScope();
  const run = await EngineRun.start({
    scope,
    feed: { rate: 100, events: EVENTS },
    wish: { lake: { sealAgeMs: 300 } },
  });
  await run.untilStatus("a first seal", ({ pipeline }) => (pipeline?.sealedOffset ?? 0) > 0);
  const exported: { readonly offsets: readonly number[]; readonly snapshotId: number }[] = [];
  const sealedAt: number[] = [];
  for (let i = 0; i < EXPORTS; i += 1) {
    const file = join(scope.folder(), "bronze.ndjson");
    const args = ["export", "bronze.recentchange", "--to", file, "--json", "--data", run.folder.root];
    const cli = startCli(scope, args);
    expect((await cli.ended).code, cli.stderr()).toBe(0);
    sealedAt.push(run.engine.status().pipeline?.sealedOffset ?? 0);
    const told = toldSchema.parse(JSON.parse(cli.stdout()));
    const lines = readFileSync(file, "utf8").trimEnd().split("\n");
    expect(lines).toHaveLength(told.rows);
    const offsets = lines.map((line) => rowSchema.parse(JSON.parse(line)).log_offset);
    exported.push({ offsets, snapshotId: told.snapshotId });
  }
  // Sealing went on beside the exports, or nothing was tried.
  expect(sealedAt.at(-1)).toBeGreaterThan(sealedAt[0] ?? 0);
  await run.drained(EVENTS);
  await run.stop();
  const all = rowsOf(await dumpLake(run.folder), "bronze.recentchange").map((row) =>
    Number(row["log_offset"]),
  );
  for (const { offsets, snapshotId } of exported) {
    const last = Math.max(...offsets);
    const expected = all.filter((offset) => offset <= last);
    expect(
      offsets.toSorted((a, b) => a - b),
      `snapshot ${snapshotId}`,
    ).toEqual(expected.toSorted((a, b) => a - b));
  }
});
