import { describe, expect, test, vi } from "vitest";
import type { QueryRequest, QueryResponse } from "#pipeline/protocol/query-messages.ts";
import { AppError } from "#storage/model/errors.ts";
import { KillDesk } from "../chaos/kill-desk.ts";
import { createDispatcher } from "./dispatcher.ts";
import { fakeEngine } from "./engine.test-support.ts";
import { createHandlers } from "./handlers.ts";

const noRows: QueryResponse = { ask: "live-rows", snapshotId: 7, checkpoint: 9, rows: [] };

function setUp(answer: (request: QueryRequest) => QueryResponse | AppError = () => noRows) {
  const { engine, told } = fakeEngine(answer);
  const opened: string[] = [];
  const themes: string[] = [];
  const handlers = createHandlers(engine, new KillDesk(engine, () => undefined), {
    openExternal: async (url) => void opened.push(url),
    setTheme: async (theme) => void themes.push(theme),
    chooseRecording: async () => "/recordings/chosen.ndjson",
    showFolder: (path) => void opened.push(path),
    chooseSavePath: async () => null,
    chooseNewFolder: async () => null,
    tellProgress: () => undefined,
    showInFolder: () => undefined,
    onPageGone: () => undefined,
    readMemory: async () => ({ text: null, theme: "system", setAside: [] }),
    saveMemory: async () => undefined,
  });
  const onBug = vi.fn<(command: string, error: unknown) => void>();
  return { dispatch: createDispatcher(handlers, onBug), told, opened, themes, onBug };
}

describe("dispatcher", () => {
  test.each([
    ["an unknown command", "files.read", {}],
    ["a name from the prototype", "constructor", {}],
    ["a command that is no text", ["app.status"], {}],
    ["missing arguments", "live.rows", undefined],
    ["an argument too many", "app.status", { path: "/etc/passwd" }],
    ["a negative offset", "live.rows", { fromOffset: -1, toOffset: 5, limit: 10 }],
    ["a fraction as offset", "live.record", { logOffset: 1.5 }],
    ["more rows than a page may have", "live.rows", { fromOffset: 1, toOffset: 5, limit: 2_001 }],
    ["text for a number", "live.record", { logOffset: "1; drop table bronze" }],
    ["an unknown theme", "theme.set", { theme: "url(evil)" }],
    ["an address of endless length", "link.open", { url: `https://${"a".repeat(9_000)}` }],
  ])("refuses %s with the code `usage` and calls no handler", async (_, command, args) => {
    const asked: QueryRequest[] = [];
    const { dispatch, told, themes, opened } = setUp((request) => {
      asked.push(request);
      return noRows;
    });
    const answer = await dispatch(command, args);
    expect(answer).toMatchObject({ ok: false, error: { code: "usage", kind: "user" } });
    expect([asked, told, themes, opened]).toEqual([[], [], [], []]);
  });

  test("asks the query worker for the rows of the source that runs", async () => {
    const asked: QueryRequest[] = [];
    const { dispatch } = setUp((request) => {
      asked.push(request);
      return noRows;
    });
    const answer = await dispatch("live.rows", { fromOffset: 1, toOffset: 5, limit: 10 });
    expect(answer).toEqual({ ok: true, value: { snapshotId: 7, checkpoint: 9, rows: [] } });
    expect(asked).toEqual([
      { ask: "live-rows", source: "recentchange", fromOffset: 1, toOffset: 5, limit: 10 },
    ]);
  });

  test("hands an AppError over as a value with its code", async () => {
    const { dispatch, onBug } = setUp(() => new AppError("worker-gone", "the query worker is restarting"));
    const answer = await dispatch("live.record", { logOffset: 3 });
    expect(answer).toMatchObject({ ok: false, error: { code: "worker-gone", kind: "transient" } });
    expect(onBug).not.toHaveBeenCalled();
  });

  test("answers `worker-protocol` when the worker answers another question", async () => {
    const { dispatch } = setUp(() => ({ ask: "snapshots", snapshots: [] }));
    expect(await dispatch("live.record", { logOffset: 3 })).toMatchObject({
      ok: false,
      error: { code: "worker-protocol" },
    });
  });

  test("reports a bug of ours and rejects, never a made-up answer", async () => {
    const { dispatch, onBug } = setUp(() => {
      throw new TypeError("undefined is not a function");
    });
    await expect(dispatch("live.record", { logOffset: 3 })).rejects.toThrow(TypeError);
    expect(onBug).toHaveBeenCalledOnce();
  });

  test("passes every source command on to the engine", async () => {
    const { dispatch, told } = setUp();
    for (const command of [
      "source.pause",
      "source.resume",
      "source.retry",
      "source.use-demo",
      "source.use-live",
    ]) {
      expect(await dispatch(command, {})).toEqual({ ok: true, value: null });
    }
    expect(told).toEqual(["pause", "resume", "retry", "switch to demo", "switch to live"]);
  });

  test("opens a judged link only, and says why another is not opened", async () => {
    const { dispatch, opened } = setUp();
    expect(await dispatch("link.open", { url: "https://en.wikipedia.org/wiki/C%2B%2B" })).toMatchObject({
      value: { opened: true },
    });
    expect(await dispatch("link.open", { url: "javascript:alert(1)" })).toMatchObject({
      value: { opened: false },
    });
    expect(opened).toEqual(["https://en.wikipedia.org/wiki/C%2B%2B"]);
  });
});
