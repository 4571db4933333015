import { describe, expect, test } from "vitest";
import { AppError, toWireError } from "#storage/model/errors.ts";
import { FakeBridge } from "../bridge/fake-bridge.test-support.ts";
import { Exports } from "./exports.ts";
import { Notifications } from "./notifications.ts";

const FILE = { file: "gold.top_pages_5min.parquet", rows: 50, openRows: 12, bytes: 2_000, sha256: "00" };

function setUp() {
  const bridge = new FakeBridge();
  const notifications = new Notifications();
  const exports = new Exports(bridge, notifications);
  exports.connect();
  const open = () => notifications.store.getState().open;
  return { bridge, exports, open };
}

describe("exports", () => {
  test("a set under way shows how far it is and can be cancelled; then it says what was written and what may change", async () => {
    const { bridge, exports, open } = setUp();
    bridge.exportedSet = { snapshotId: 7, folder: "/home/user/highwater-gold-7", files: [FILE] };
    const run = exports.saveSet("gold", null, "parquet");
    bridge.announce("progress", { runId: "export-1", done: 0.5, what: "gold.top_pages_5min" });
    expect(open()[0]).toMatchObject({ progress: { done: 0.5, text: "gold.top_pages_5min" } });
    open()[0]
      ?.actions.find(({ label }) => label === "Cancel")
      ?.run();
    expect(bridge.called("run.cancel")[0]?.args).toEqual({ runId: "export-1" });
    await run;
    expect(open()[0]).toMatchObject({ tone: "ok", progress: null });
    expect(open()[0]?.text).toBe("1 table of snapshot 7 written to highwater-gold-7: 50 rows, 2.0 kB.");
    expect(open()[0]?.detail).toContain("12 rows are of open windows and may still change");
    open()[0]?.actions[0]?.run();
    expect(bridge.called("export.show")[0]?.args).toEqual({ path: "/home/user/highwater-gold-7" });
  });

  test("nothing is told where the user chose no place", async () => {
    const { exports, open } = setUp();
    await exports.saveTable("silver.changes", 7, "csv");
    expect(open()).toEqual([]);
  });

  test("a failure stays on screen with its reason, a cancelled export says that nothing is left", async () => {
    const { bridge, exports, open } = setUp();
    bridge.error = toWireError(new AppError("export-failed", "/x is not empty"));
    await exports.saveStatement("SELECT 1", null, "ndjson");
    expect(open()[0]).toMatchObject({ tone: "bad", text: "Exporting the result failed: /x is not empty" });
    bridge.error = toWireError(new AppError("statement-cancelled", "cancelled"));
    await exports.saveSet("all", null, "csv");
    expect(open()[0]).toMatchObject({
      tone: "info",
      text: expect.stringContaining("nothing was left behind"),
    });
  });
});
