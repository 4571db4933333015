import { expect, test } from "vitest";
import { z } from "zod";
import { startCli } from "../support/cli-process.ts";
import { endCase, startCase } from "../support/field-case.ts";
import { event, frame } from "../support/invented-events.ts";
import { testScope, type Scope } from "../support/scope.ts";
import { startSseServer } from "../support/sse-server.ts";

/**
 * Field cases of the SQL console and its grid. Where each is proven:
 * C24 storage/query/sixty-statements.test.ts; C25 storage/model/sql-text.test.ts, storage/query/statement-guard.test.ts,
 * renderer/panels/sql/run-target.test.ts and the e2e spec; C27 storage/query/statement-guard.test.ts and
 * renderer/components/result-grid/order-cells.test.ts; C28 renderer/components/result-grid/copy-cells.test.ts and the e2e spec;
 * C29 storage/query/kept-cells.test.ts and the e2e spec; C30 storage/query/statement-place.test.ts,
 * renderer/panels/sql/invisible-characters.test.ts and the e2e spec; C32 renderer/panels/sql/sql-panel.test.tsx and the e2e spec
 * (e2e/specs/sql-room.spec.ts); C31 and C28's file here.
 *
 * The console has no charts, so the halves of C27 and C31 that look at one (order of its axis, bars of the hour that comes
 * twice) have nothing to show; the rows that it would draw are compared here instead.
 * C32 also edits a draft's file from outside: drafts are no files, they live in the window's memory, so nothing else writes them.
 * C32's suspend cannot be done to the machine that runs the tests; what it takes is that every text is saved within a second.
 */
const ZONES = ["UTC", "Europe/Berlin", "Asia/Kolkata", "America/St_Johns"];

const answerSchema = z.object({
  rows: z.array(z.array(z.union([z.string(), z.number(), z.boolean(), z.null()]))),
});

/** Rows of a statement, asked by the command line and its query worker in a time zone. */
async function ask(
  scope: Scope,
  root: string,
  text: string,
  zone = "UTC",
): Promise<z.infer<typeof answerSchema>["rows"]> {
  const cli = startCli(scope, ["sql", text, "--json", "--data", root], ["env", `TZ=${zone}`]);
  expect((await cli.ended).code, cli.stderr()).toBe(0);
  return answerSchema.parse(JSON.parse(cli.stdout())).rows;
}

test("C31: hours of the autumn change stand apart and are the same rows in every time zone; instants carry theirs, naive times and texts are unchanged", async () => {
  const scope = testScope();
  // 26 October 2025, 00:00 to 04:00 UTC, every quarter of an hour: Berlin's hour from 2 to 3 comes twice.
  const from = 1_761_436_800;
  const server = await startSseServer(scope, async (line) => {
    for (let i = 0; i <= 16; i += 1) await line.write(frame(event(i, {}, (from + i * 900) * 1_000)));
    await line.hold();
  });
  const run = await startCase(scope, server);
  await run.settled(17);
  const { root } = run.folder;
  const hours =
    "SELECT date_trunc('hour', event_time) AS hour, count(*) FROM silver.changes GROUP BY ALL ORDER BY hour";
  const windows =
    "SELECT date_trunc('hour', window_start) AS hour, sum(edits)::INTEGER FROM gold.edits_per_minute GROUP BY ALL ORDER BY hour";
  const times =
    "SELECT TIMESTAMPTZ '2026-04-29 14:38:00+02', TIMESTAMP '2026-04-29 14:38:00', '2026-04-29T14:38:00+02:00'";
  const expected = [0, 1, 2, 3, 4].map((hour) => [`2025-10-26T0${hour}:00:00Z`, hour === 4 ? 1 : 4]);
  for (const zone of ZONES) {
    expect(await ask(scope, root, hours, zone), zone).toEqual(expected);
    expect(await ask(scope, root, windows, zone), zone).toEqual(expected);
    expect(await ask(scope, root, times, zone), zone).toEqual([
      ["2026-04-29T12:38:00Z", "2026-04-29 14:38:00", "2026-04-29T14:38:00+02:00"],
    ]);
  }
  await endCase(scope, run, server);
});

test("C28: a CSV export of odd cells, read back with DuckDB, has one row of ten columns with equal values", async () => {
  const scope = testScope();
  const server = await startSseServer(scope, async (line) => {
    await line.write(frame(event(1)));
    await line.hold();
  });
  const run = await startCase(scope, server);
  await run.settled(1);
  const { root } = run.folder;
  const cells =
    "SELECT TIMESTAMPTZ '2026-04-29 14:38:00+02' t, {'k':1} s, [1,2] l, MAP{'a':1} m, '{\"x\":1}'::JSON j, E'a\\tb\\nc\"d' x, '=1+1' f, NULL n, '' e, ' lead' sp";
  const path = `${scope.folder()}/cells.csv`;
  const exported = startCli(scope, ["export", "--sql", cells, "--to", path, "--data", root]);
  expect((await exported.ended).code, exported.stderr()).toBe(0);
  const { DuckDBInstance } = await import("@duckdb/node-api");
  const connection = await (await DuckDBInstance.create()).connect();
  const columns = "t s l m j x f n e sp".split(" ").map((name) => `'${name}': 'VARCHAR'`);
  // A quoted empty text is no missing value; DuckDB's reader takes it for one unless it is told.
  const read = await connection.runAndReadAll(
    `SELECT * FROM read_csv('${path}', header = true, delim = ',', quote = '"', escape = '"', columns = {${columns.join(", ")}}, allow_quoted_nulls = false)`,
  );
  expect(read.getRows()).toEqual([
    [
      "2026-04-29 12:38:00+00",
      "{'k': 1}",
      "[1, 2]",
      "{a=1}",
      '{"x":1}',
      'a\tb\nc"d',
      "=1+1",
      null,
      "",
      " lead",
    ],
  ]);
  connection.closeSync();
  await endCase(scope, run, server);
});
