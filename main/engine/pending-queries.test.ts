import { afterEach, beforeEach, expect, test, vi } from "vitest";
import type { QueryRequest, QueryResponse } from "#pipeline/protocol/query-messages.ts";
import type { ToWorker } from "#pipeline/protocol/worker-messages.ts";
import { AppError, toWireError } from "#storage/model/errors.ts";
import { CANCEL_LIMIT_MS, PendingQueries } from "./pending-queries.ts";

const SQL: QueryRequest = { ask: "sql", text: "SELECT 1", asOf: null, limit: 1 };
const TABLES: QueryRequest = { ask: "tables", asOf: null };
const EXPORT: QueryRequest = {
  ask: "export",
  sql: "SELECT 1",
  table: null,
  asOf: null,
  path: "/x",
  format: "csv",
  writtenBy: "test",
};
const ANSWER: QueryResponse = { ask: "tables", snapshotId: 1, tables: [] };

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

function openQueries(hasWorker = true) {
  const sent: ToWorker[] = [];
  let replaced = 0;
  const queries = new PendingQueries({
    send: (message) => void sent.push(message),
    replaceWorker: () => {
      replaced += 1;
      return hasWorker;
    },
  });
  return { queries, sent, replaced: () => replaced };
}

const codeOf = (promise: Promise<unknown>): Promise<unknown> =>
  promise.then(
    () => "answered",
    (error: unknown) => (error instanceof AppError ? error.code : error),
  );

test("a statement that gives way in time is cancelled without harm to the worker", async () => {
  const { queries, replaced } = openQueries();
  const cancel = new AbortController();
  const outcome = codeOf(queries.ask(SQL, cancel.signal));
  cancel.abort();
  vi.advanceTimersByTime(CANCEL_LIMIT_MS - 1);
  const error = toWireError(new AppError("statement-cancelled", "cancelled"));
  queries.take({ type: "refused", seq: 1, error });
  vi.advanceTimersByTime(CANCEL_LIMIT_MS * 4);
  expect(await outcome).toBe("statement-cancelled");
  expect(replaced()).toBe(0);
});

test("one that does not has its worker replaced once, and the others are asked again of the next", async () => {
  const { queries, sent, replaced } = openQueries();
  const cancel = new AbortController();
  const first = codeOf(queries.ask(SQL, cancel.signal));
  const second = codeOf(queries.ask(SQL, cancel.signal));
  const other = codeOf(queries.ask(TABLES));
  cancel.abort();
  vi.advanceTimersByTime(CANCEL_LIMIT_MS);
  expect(await first).toBe("statement-cancelled");
  expect(await second).toBe("statement-cancelled");
  expect(replaced()).toBe(1);
  queries.workerEnded();
  const before = sent.length;
  const meanwhile = codeOf(queries.ask(TABLES));
  // Nothing goes to a process that is not up: it would be lost, or answered twice.
  expect(sent).toHaveLength(before);
  queries.workerRuns();
  expect(sent.slice(before)).toEqual([
    { type: "query", seq: 3, request: TABLES },
    { type: "query", seq: 4, request: TABLES },
  ]);
  queries.take({ type: "answer", seq: 3, response: ANSWER });
  queries.take({ type: "answer", seq: 4, response: ANSWER });
  expect(await Promise.all([other, meanwhile])).toEqual(["answered", "answered"]);
});

test("a worker that dies by itself answers nobody, also right after a replacement", async () => {
  const { queries } = openQueries();
  const cancel = new AbortController();
  const slow = codeOf(queries.ask(SQL, cancel.signal));
  cancel.abort();
  vi.advanceTimersByTime(CANCEL_LIMIT_MS);
  await slow;
  queries.workerEnded();
  queries.workerRuns();
  const other = codeOf(queries.ask(TABLES));
  queries.workerEnded();
  expect(await other).toBe("worker-gone");
});

test("an export takes the time it needs to clean up, and without a process there is nothing to replace", async () => {
  const { queries, replaced } = openQueries();
  const cancel = new AbortController();
  void codeOf(queries.ask(EXPORT, cancel.signal));
  cancel.abort();
  vi.advanceTimersByTime(CANCEL_LIMIT_MS * 10);
  expect(replaced()).toBe(0);
  const gone = openQueries(false);
  const slow = codeOf(gone.queries.ask(SQL, cancel.signal));
  const later = new AbortController();
  const other = codeOf(gone.queries.ask(SQL, later.signal));
  later.abort();
  vi.advanceTimersByTime(CANCEL_LIMIT_MS);
  expect(await other).toBe("statement-cancelled");
  gone.queries.workerEnded();
  expect(await slow).toBe("worker-gone");
});
