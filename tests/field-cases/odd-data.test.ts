import { expect, test } from "vitest";
import { bytesOf, rowsOf } from "../support/dump-lake.ts";
import { endCase, startCase } from "../support/field-case.ts";
import { event, frame, idOf, T0_MS } from "../support/invented-events.ts";
import { testScope } from "../support/scope.ts";
import { startSseServer } from "../support/sse-server.ts";

test("C09: dates beyond every column are set aside each with its reason, and the watermark does not move", async () => {
  const scope = testScope();
  const odd: readonly Record<string, unknown>[] = [
    {},
    { meta: { dt: "2099-01-01T00:00:00Z" } },
    { timestamp: 4_102_444_800 },
    { timestamp: 253_402_300_800 },
    { timestamp: -1 },
    { timestamp: 1e30 },
    { meta: { dt: "17/09/2026 04:00" } },
    {},
  ];
  const server = await startSseServer(scope, async (line) => {
    for (const [i, changes] of odd.entries()) await line.write(frame(event(i, changes)));
    await line.hold();
  });
  const run = await startCase(scope, server);
  const status = await run.settled(odd.length);
  expect(status.pipeline?.watermarkMs).toBe(T0_MS - 120_000);
  const dump = await endCase(scope, run, server);
  const inBronze = new Set(rowsOf(dump, "bronze.recentchange").map((row) => String(row["id"])));
  const letters = new Map(
    rowsOf(dump, "main.dead_letters").map((row) => [
      String(row["id"]),
      `${String(row["rule_id"])}/${String(row["reason_code"])}`,
    ]),
  );
  // Only meta.dt is odd in 1 and 6: `timestamp` decides the event time (pipeline/validate/event-time.ts).
  expect(inBronze).toEqual(new Set([0, 1, 6, 7].map(idOf)));
  expect(letters).toEqual(
    new Map([
      [idOf(2), "event-time-plausible/event-time-in-future"],
      [idOf(3), "event-time-present/event-time-out-of-range"],
      [idOf(4), "event-time-present/event-time-too-old"],
      [idOf(5), "event-time-present/event-time-not-safe"],
    ]),
  );
  const changes = rowsOf(dump, "gold.edits_per_minute").reduce((sum, row) => sum + Number(row["changes"]), 0);
  expect(changes).toBe(inBronze.size);
});

test("C11: a newer schema with unknown fields and large ids is kept exactly; a meta without id is a dead letter whose SSE id is not sent back", async () => {
  const scope = testScope();
  const revision = 5_000_000_000;
  const newer = event(1, {
    $schema: "/mediawiki/recentchange/1.12.0",
    revision: { old: revision - 1, new: revision },
    revert: { type: "undo", ids: [revision] },
    meta: { dt: new Date(T0_MS + 123).toISOString() },
  });
  const withoutId = event(2);
  delete withoutId.meta["id"];
  const oddId = JSON.stringify([
    { topic: "eqiad.mediawiki.recentchange", partition: 0, timestamp: Math.floor(T0_MS / 1_000), offset: 7 },
  ]);
  const server = await startSseServer(scope, async (line) => {
    if (line.n > 1) return line.hold();
    await line.write(frame(newer));
    await line.write(frame(withoutId, { id: oddId }));
  });
  const run = await startCase(scope, server);
  await run.untilStatus("a second connection", () => server.requests.length >= 2);
  await run.settled(3);
  const dump = await endCase(scope, run, server);
  const [silver] = rowsOf(dump, "silver.changes");
  expect(silver).toMatchObject({ rev_new: revision, schema_uri: "/mediawiki/recentchange/1.12.0" });
  const [bronze] = rowsOf(dump, "bronze.recentchange");
  expect(bronze === undefined ? null : bytesOf(bronze).toString("utf8")).toBe(JSON.stringify(newer));
  expect(rowsOf(dump, "main.dead_letters")).toHaveLength(1);
  for (const request of server.requests) expect(request.headers["last-event-id"]).not.toBe(oddId);
});

test("C12: a suppressed name is hidden and counts, a temporary account is told from a name with a tilde", async () => {
  const scope = testScope();
  const users = [undefined, "~2026-50211-05", "~2026-1", "~tilde", "U"];
  const server = await startSseServer(scope, async (line) => {
    for (const [i, user] of users.entries()) await line.write(frame(event(i, { user })));
    await line.hold();
  });
  const run = await startCase(scope, server);
  await run.settled(users.length);
  const dump = await endCase(scope, run, server);
  const kinds = rowsOf(dump, "silver.changes")
    .toSorted((left, right) => Number(left["log_offset"]) - Number(right["log_offset"]))
    .map((row) => row["user_kind"]);
  expect(kinds).toEqual(["hidden", "temporary", "temporary", "named", "named"]);
  expect(rowsOf(dump, "main.dead_letters")).toEqual([]);
  const minute = rowsOf(dump, "gold.edits_per_minute");
  expect(minute.reduce((sum, row) => sum + Number(row["edits"]), 0)).toBe(5);
  expect(minute.reduce((sum, row) => sum + Number(row["distinct_users"]), 0)).toBe(4);
  expect(rowsOf(dump, "gold.user_bytes_5s")).toHaveLength(4);
});
