import { openTestLake, type TestLake } from "../lake/lake.test-support.ts";
import type { QueryLimits } from "./query-limits.ts";
import { openQuerySession, type QuerySession, type SqlResult } from "./query-session.ts";

/** A signal that never comes. */
export const never = new AbortController().signal;

/** A lake with a writer, and a session over it; both closed and removed afterwards. */
export async function withSession(
  body: (lake: TestLake, session: QuerySession) => Promise<void>,
  limits: Partial<QueryLimits> = {},
): Promise<void> {
  await using lake = await openTestLake();
  const session = openQuerySession({ folder: lake.folder, limits: { threads: 1, ...limits } });
  try {
    await body(lake, session);
  } finally {
    await session.close();
  }
}

/** Runs a statement and wants all rows. */
export const ask = (session: QuerySession, text: string, asOf: number | null = null): Promise<SqlResult> =>
  session.sql({ text, asOf, limit: 100_000 }, never);

/** Commits some records and lets seven seconds pass. */
export async function commit(
  lake: TestLake,
  rows: number,
  mode: "live" | "catching-up" = "live",
): Promise<void> {
  await lake.writer.commit(lake.feed.next(rows, mode));
  lake.clock.advance(7_000);
}
