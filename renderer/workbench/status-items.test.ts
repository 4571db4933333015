import { describe, expect, test } from "vitest";
import type { AppStatus, WorkerStatus } from "#main/contract/app-status.ts";
import type { ConnectionState } from "#pipeline/protocol/telemetry.ts";
import {
  exampleIngest,
  examplePipeline,
  exampleStatus,
  exampleWorker,
  EXAMPLE_NOW_MS,
} from "#main/bridge/status.test-support.ts";
import { RESTART_TOLD_MS, statusItems } from "./status-items.ts";

function texts(status: AppStatus | null): string[] {
  const { left, right } = statusItems(status);
  return [...left, ...right].map((item) => item.text);
}

function find(status: AppStatus, id: string) {
  const { left, right } = statusItems(status);
  return [...left, ...right].find((item) => item.id === id);
}

describe("status bar", () => {
  test("says source, rate, lag, freshness, snapshot, dead letters, workers, with units", () => {
    expect(texts(exampleStatus())).toEqual([
      "live · recentchange · receiving",
      "47.2/s",
      "lag 47",
      "fresh 0.18 s",
      "snapshot 27,310",
      "41 dead letters",
      "3 of 3 workers",
      "ledger not checked",
    ]);
  });

  test("says that it starts before the first status, and claims no number", () => {
    expect(texts(null)).toEqual(["starting …"]);
    expect(texts(exampleStatus({ ingest: null, pipeline: null }))[0]).toBe("live · recentchange · starting");
  });

  const states: readonly (readonly [ConnectionState, string, string])[] = [
    [{ state: "idle" }, "not started", "none"],
    [{ state: "connecting", attempt: 1 }, "connecting", "none"],
    [{ state: "connecting", attempt: 3 }, "connecting, try 3", "none"],
    [{ state: "open", sinceMs: 0, receiving: true }, "receiving", "ok"],
    [{ state: "open", sinceMs: 0, receiving: false }, "connected, no records", "none"],
    [
      { state: "backing-off", untilMs: EXAMPLE_NOW_MS + 3_400, attempt: 2, reason: "429" },
      "retry in 4 s: 429",
      "warn",
    ],
    [{ state: "paused" }, "paused", "none"],
    [{ state: "ended", reason: "end of file" }, "ended: end of file", "none"],
    [{ state: "failed", code: "403", reason: "refused", remedy: "set a contact" }, "stopped: refused", "bad"],
  ];
  test.each(states)("connection %j reads `%s` in tone %s", (connection, word, tone) => {
    const item = find(exampleStatus({ ingest: exampleIngest({ connection }) }), "source");
    expect(item?.text).toBe(`live · recentchange · ${word}`);
    expect(item?.tone).toBe(tone);
  });

  const lastExit = { atMs: EXAMPLE_NOW_MS - 12_000, how: "SIGKILL" };
  const workers: readonly (readonly [Partial<WorkerStatus>, string, string])[] = [
    [{ restarts: 1, lastExit }, "pipeline restarted", "warn"],
    [{ phase: { state: "starting", pid: null }, restarts: 1, lastExit }, "pipeline starting", "none"],
    [{ phase: { state: "hanging", pid: 7, sinceMs: 0 } }, "pipeline hangs", "warn"],
    [
      { phase: { state: "backing-off", untilMs: EXAMPLE_NOW_MS + 2_000 } },
      "pipeline restarts in 2 s",
      "warn",
    ],
    [{ phase: { state: "finished", reason: "end-of-source" } }, "pipeline finished", "none"],
    [{ phase: { state: "stopped" } }, "pipeline stopped", "none"],
    [
      {
        phase: {
          state: "gave-up",
          error: { code: "worker-gave-up", kind: "user", message: "x", details: {} },
        },
      },
      "pipeline gave up",
      "bad",
    ],
  ];
  test.each(workers)("worker %j reads `%s` in tone %s", (more, text, tone) => {
    const item = find(exampleStatus({ workers: [exampleWorker("pipeline", 102, more)] }), "worker-pipeline");
    expect(item?.text).toBe(text);
    expect(item?.tone).toBe(tone);
  });

  test("tells a restart with its cause for two minutes and then no more", () => {
    const at = (atMs: number) =>
      find(
        exampleStatus({ atMs, workers: [exampleWorker("pipeline", 9, { restarts: 1, lastExit })] }),
        "worker-pipeline",
      );
    expect(at(EXAMPLE_NOW_MS)?.hint).toContain("SIGKILL");
    expect(at(lastExit.atMs + RESTART_TOLD_MS)).toBeDefined();
    expect(at(lastExit.atMs + RESTART_TOLD_MS + 1)).toBeUndefined();
  });

  test("says open gaps, losses, a wrong clock and a held catalog only when they are there", () => {
    const pipeline = examplePipeline({
      gaps: [{ state: "not-served", count: 9 }],
      activeHoles: { count: 2, newest: [] },
      losses: {
        count: 1,
        newest: [{ fromOffset: 5, toOffset: 9, reason: "the log lost these records", changedAt: 12 }],
      },
      clockWrong: true,
      catalogHeldSinceMs: EXAMPLE_NOW_MS - 14_000,
    });
    const said = texts(exampleStatus({ pipeline }));
    expect(said).toContain("2 open gaps");
    expect(said).toContain("1 loss");
    expect(find(exampleStatus({ pipeline }), "losses")?.hint).toContain("offsets 5 to 9: the log lost");
    expect(said).toContain("clock wrong");
    expect(said).toContain("catalog held 14 s");
  });

  test("never calls the ledger balanced: nothing here has checked it", () => {
    expect(find(exampleStatus(), "ledger")).toMatchObject({ text: "ledger not checked", tone: "none" });
  });
});
