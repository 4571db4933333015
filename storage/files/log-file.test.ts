import { readdirSync, readFileSync, rmSync, statSync } from "node:fs";
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { diskFreeBytes } from "./disk-free.ts";
import { openLogFile } from "./log-file.ts";
import { temporaryFolder } from "./temporary-folder.test-support.ts";

const clock = { nowMs: () => 0, monotonicMs: () => 0 };

describe("a log file", () => {
  test("is rotated at its size, keeps the newest files and goes on after a restart", () => {
    const temporary = temporaryFolder();
    const options = { folder: temporary.path, name: "ingest", maxBytes: 200, keepFiles: 2, clock };
    for (let round = 0; round < 5; round += 1) {
      const log = openLogFile(options);
      for (let line = 0; line < 4; line += 1)
        log.write("info", `round ${round} line ${line} ${"x".repeat(30)}`);
      log.close();
    }
    expect(readdirSync(temporary.path).toSorted()).toEqual(["ingest.1.log", "ingest.2.log", "ingest.log"]);
    for (const name of readdirSync(temporary.path))
      expect(statSync(join(temporary.path, name)).size).toBeLessThanOrEqual(200);
    expect(readFileSync(join(temporary.path, "ingest.log"), "utf8")).toContain("round 4 line 3");
  });

  test("writes feed text as one harmless line, cut at its limit", () => {
    const temporary = temporaryFolder();
    const log = openLogFile({ folder: temporary.path, name: "x", clock });
    log.write("warn", `a\nb\u001b[31m\u202e${"y".repeat(9_000)}`);
    log.close();
    const text = readFileSync(join(temporary.path, "x.log"), "utf8");
    expect(text.startsWith(String.raw`1970-01-01T00:00:00.000Z warn a\u000ab\u001b[31m\u202e`)).toBe(true);
    expect(text.trim().split("\n")).toHaveLength(1);
    expect(text).toContain("more characters)");
  });

  test("never throws, counts what it could not write and says so when it can again", () => {
    const temporary = temporaryFolder();
    const folder = join(temporary.path, "logs");
    const log = openLogFile({ folder, name: "x", clock });
    log.write("info", "lost one");
    log.write("info", "lost two");
    expect(log.lostLines()).toBe(2);
    mkdirSync(folder);
    log.write("info", "kept");
    log.close();
    expect(readFileSync(join(folder, "x.log"), "utf8")).toMatch(/2 lines could not be written.*\n.*kept\n$/);
    rmSync(folder, { recursive: true });
  });

  test("free disk space is a positive number of bytes", () => {
    const temporary = temporaryFolder();
    expect(diskFreeBytes(temporary.path)).toBeGreaterThan(0);
  });
});
