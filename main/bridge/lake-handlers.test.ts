import { expect, test } from "vitest";
import type { QueryRequest, QueryResponse } from "#pipeline/protocol/query-messages.ts";
import { AppError } from "#storage/model/errors.ts";
import type { Engine } from "../engine/engine-contract.ts";
import { exampleStatus } from "./status.test-support.ts";
import { createLakeHandlers } from "./lake-handlers.ts";

const PAGE = { columns: [], rows: [] };
const SQL = { runId: "r", text: "SELECT 1", asOf: null, limit: 10 } as const;
const SAVE = { runId: "e", what: { table: "silver.changes" }, asOf: 7, format: "parquet" } as const;

function handlersWith(answer: Engine["query"], path: string | null = "/tmp/x.parquet") {
  const told: string[] = [];
  let pageGone: () => void = () => undefined;
  const handlers = createLakeHandlers(
    { query: answer, status: () => exampleStatus() },
    {
      chooseNewFolder: async (name) => {
        told.push(`make ${name}`);
        return path;
      },
      tellProgress: ({ runId, done, what }) => void told.push(`${runId} ${done} ${what}`),
      chooseSavePath: async (name) => {
        told.push(`choose ${name}`);
        return path;
      },
      showInFolder: (shown) => void told.push(`show ${shown}`),
      onPageGone: (listener) => (pageGone = listener),
    },
  );
  return { losePage: () => pageGone(), handlers, told };
}

const answerSql = async (): Promise<QueryResponse> => ({
  ask: "sql",
  snapshotId: 7,
  page: PAGE,
  total: 0,
  truncated: false,
  elapsedMs: 1,
});

const answerExport = async (request: QueryRequest): Promise<QueryResponse> => ({
  ask: "export",
  snapshotId: 7,
  path: request.ask === "export" ? request.path : "",
  manifestPath: "/tmp/x.parquet.manifest.json",
  rows: 3,
  openRows: 1,
  bytes: 100,
  sha256: "00",
});

/** A question that ends only by its signal. */
function untilAborted(_request: QueryRequest, signal?: AbortSignal): Promise<QueryResponse> {
  return new Promise((_resolve, reject) => {
    signal?.addEventListener("abort", () => reject(new AppError("statement-cancelled", "cancelled")));
  });
}

test("a statement goes to the query worker as it was typed and comes back with its snapshot", async () => {
  const { handlers } = handlersWith(answerSql);
  expect(await handlers["sql.run"](SQL)).toMatchObject({ snapshotId: 7, total: 0 });
});

test("a run is cancelled by its name; cancelling what is over is no error", async () => {
  const { handlers } = handlersWith(untilAborted);
  const run = handlers["sql.run"](SQL);
  await handlers["run.cancel"]({ runId: "r" });
  await expect(run).rejects.toMatchObject({ code: "statement-cancelled" });
  expect(await handlers["run.cancel"]({ runId: "r" })).toBeNull();
});

test("two runs of one name are refused, and the name is free again afterwards", async () => {
  const { handlers } = handlersWith(untilAborted);
  const first = handlers["sql.run"](SQL);
  await expect(handlers["sql.run"](SQL)).rejects.toMatchObject({ code: "usage" });
  await handlers["run.cancel"]({ runId: "r" });
  await expect(first).rejects.toMatchObject({ code: "statement-cancelled" });
  const again = handlers["sql.run"](SQL);
  await handlers["run.cancel"]({ runId: "r" });
  await expect(again).rejects.toMatchObject({ code: "statement-cancelled" });
});

test("no more runs are taken than can be kept in mind", async () => {
  const { handlers } = handlersWith(untilAborted);
  const runs = Array.from({ length: 32 }, (_, n) => handlers["sql.run"]({ ...SQL, runId: `r${n}` }));
  await expect(handlers["sql.run"]({ ...SQL, runId: "one more" })).rejects.toMatchObject({
    code: "statement-refused",
  });
  for (let n = 0; n < runs.length; n += 1) await handlers["run.cancel"]({ runId: `r${n}` });
  await Promise.allSettled(runs);
});

test("an export is written where the user chose, and only that file can be shown", async () => {
  const { handlers, told } = handlersWith(answerExport);
  expect(await handlers["export.save"](SAVE)).toMatchObject({
    path: "/tmp/x.parquet",
    rows: 3,
    snapshotId: 7,
  });
  await expect(handlers["export.show"]({ path: "/etc/passwd" })).rejects.toMatchObject({ code: "usage" });
  await handlers["export.show"]({ path: "/tmp/x.parquet" });
  expect(told).toEqual(["choose silver.changes-7.parquet", "show /tmp/x.parquet"]);
});

test("nothing is asked of the lake when the user chose no file", async () => {
  const { handlers } = handlersWith(() => Promise.reject(new Error("asked")), null);
  expect(await handlers["export.save"](SAVE)).toBeNull();
});

test("an answer to another question is a broken protocol", async () => {
  const { handlers } = handlersWith(answerSql);
  await expect(handlers["lake.snapshots"]({ limit: 1 })).rejects.toMatchObject({ code: "worker-protocol" });
});

test("a set of tables goes into a folder named after its snapshot, tells how far it is, and can be shown", async () => {
  const { handlers, told } = handlersWith(async (request, _signal, onProgress) => {
    if (request.ask !== "export-set") throw new Error("asked for something else");
    onProgress?.({ done: 0.5, what: "gold.top_pages_5min" });
    const file = { file: "gold.top_pages_5min.parquet", rows: 3, openRows: 1, bytes: 9, sha256: "00" };
    return { ask: "export-set", snapshotId: 7, folder: request.folder, files: [file] };
  }, "/tmp/set");
  const set = { runId: "s", tables: "gold", asOf: 7, format: "parquet" } as const;
  expect(await handlers["export.set"](set)).toMatchObject({ folder: "/tmp/set", snapshotId: 7 });
  await handlers["export.show"]({ path: "/tmp/set" });
  expect(told).toEqual(["make highwater-gold-7", "s 0.5 gold.top_pages_5min", "show /tmp/set"]);
});

test("a statement of a page whose process ended is cancelled, an export goes on", async () => {
  const { handlers, losePage } = handlersWith(untilAborted);
  const outcome = handlers["sql.run"](SQL).catch((error: unknown) => error);
  let isExporting = true;
  void handlers["export.save"](SAVE)
    .catch(() => undefined)
    .finally(() => (isExporting = false));
  losePage();
  expect(await outcome).toMatchObject({ code: "statement-cancelled" });
  expect(isExporting).toBe(true);
});

test("whole cells are asked for by the name of their result", async () => {
  const asked: QueryRequest[] = [];
  const { handlers } = handlersWith(async (request) => {
    asked.push(request);
    return { ask: "cells", texts: ["whole"] };
  });
  const cells = [{ row: 1, column: 2 }];
  expect(await handlers["sql.cells"]({ keptId: "k", cells })).toEqual({ texts: ["whole"] });
  expect(asked).toEqual([{ ask: "cells", keptId: "k", cells }]);
});
