import { join } from "node:path";
import Database from "better-sqlite3";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { toOffset } from "../model/brand.ts";
import { events, LogFixture } from "./log-fixture.test-support.ts";
import { segmentPath } from "./segment-path.ts";
import { toLogError } from "./sqlite-error.ts";

let log: LogFixture;
beforeEach(() => {
  log = new LogFixture();
});
afterEach(() => {
  log.dispose();
});

describe("trouble while appending", () => {
  test("by a foreign writer is transient: nothing is appended, and the next try succeeds", () => {
    const writer = log.writer();
    const foreign = new Database(segmentPath(log.folder, toOffset(1)));
    foreign.exec("BEGIN IMMEDIATE");
    expect(() => writer.append(events(3), "c", writer.counters())).toThrow(
      expect.objectContaining({ code: "catalog-held", kind: "transient" }),
    );
    expect([writer.head(), writer.cursor()]).toEqual([1, null]);
    foreign.exec("ROLLBACK");
    foreign.close();
    expect(writer.append(events(3), "c", writer.counters())).toBe(4);
    expect(log.reader().head()).toBe(4);
  });

  test("by a foreign reader that keeps its transaction open disturbs neither appends nor rotation", () => {
    const writer = log.writer({ limits: { segmentMaxBytes: 1, segmentMaxAgeMs: 1 } });
    const foreign = new Database(segmentPath(log.folder, toOffset(1)), { readonly: true });
    foreign.exec("BEGIN; SELECT * FROM meta");
    writer.append(events(3), "c", writer.counters());
    expect(writer.rotateIfDue(log.nowMs)).toBe(true);
    expect(writer.append(events(1), "d", writer.counters())).toBe(6);
    foreign.close();
  });

  test("by a full disk is transient and says so", () => {
    const database = new Database(join(log.root, "full.sqlite"));
    database.pragma("max_page_count = 4");
    database.exec("CREATE TABLE t (body BLOB)");
    let thrown: unknown = null;
    try {
      database.exec("INSERT INTO t VALUES (zeroblob(100000))");
    } catch (error) {
      thrown = toLogError(error, "full.sqlite");
    }
    database.close();
    expect(thrown).toMatchObject({ code: "disk-full", kind: "transient" });
  });
});
