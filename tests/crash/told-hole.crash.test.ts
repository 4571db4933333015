import { expect, test } from "vitest";
import { dumpLake, openReader, rowsOf } from "../support/dump-lake.ts";
import { endCase, startCase } from "../support/field-case.ts";
import { event, frame, idOf, resumedFromMs, T0_MS } from "../support/invented-events.ts";
import { until } from "../support/poll.ts";
import { testScope } from "../support/scope.ts";
import { startSseServer } from "../support/sse-server.ts";

const LAST = 12;
const HOLE = [6, 7];
/** So far apart that the usual rewind (2 s here) does not reach back over the hole. */
const atMs = (i: number): number => T0_MS - (LAST - i) * 60_000;

test("a hole that ingest was told and had not asked for when it was killed is told again, asked for once and repaired", async () => {
  const scope = testScope();
  const server = await startSseServer(scope, async (line) => {
    const from = resumedFromMs(line.request.headers["last-event-id"]);
    for (let i = 1; i <= LAST; i += 1) {
      const isHeldBack = line.n === 1 && HOLE.includes(i);
      if (!isHeldBack && atMs(i) >= from) await line.write(frame(event(i, {}, atMs(i))));
    }
    // The first connection stays, so nothing is asked on it. The second was made before the hole could be told again.
    if (line.n === 2) await line.wait(1_500);
    else await line.hold();
  });
  const run = await startCase(scope, server);
  const gapStates = async (): Promise<readonly string[]> => {
    const reader = openReader(run.folder);
    try {
      return reader.gaps(run.source).map(({ state }) => state);
    } finally {
      await reader.close();
    }
  };
  const asked = async (): Promise<number> =>
    rowsOf(await dumpLake(run.folder), "main.control").filter((row) =>
      String(row["body"]).includes("gap-asked"),
    ).length;

  await run.settled(1 + LAST - HOLE.length);
  expect(await gapStates()).toEqual(["open"]);
  expect(await asked()).toBe(0);
  expect(server.requests).toHaveLength(1);
  run.kill("ingest");
  await until("the hole is repaired", async () => (await gapStates()).join() === "repaired", {
    explain: () => run.explain(),
  });
  expect(await asked()).toBe(1);
  await run.settled(LAST);
  const dump = await endCase(scope, run, server);
  const ids = rowsOf(dump, "bronze.recentchange").map((row) => String(row["id"]));
  expect(ids.toSorted((left, right) => left.localeCompare(right))).toEqual(
    Array.from({ length: LAST }, (_, index) => idOf(index + 1)),
  );
});
