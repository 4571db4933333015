import { spawn } from "node:child_process";
import { randomUUID } from "node:crypto";
import { once } from "node:events";
import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import fc from "fast-check";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { toOffset } from "../model/brand.ts";
import { AppError } from "../model/errors.ts";
import type { LogRead, LogReader } from "../model/log.ts";
import type { FailpointName } from "../model/failpoints.ts";
import { FAILPOINT_NAMES } from "../model/failpoints.ts";
import { LogFixture, readAll, textOf } from "./log-fixture.test-support.ts";
import { listOrphanSideFiles } from "./segment-path.ts";

const child = fileURLToPath(new URL("append-forever.test-support.ts", import.meta.url));

/** Runs the child until it stops at a failpoint, or `kills` acknowledged appends were seen; SIGKILL; the last cursor it told. */
async function runAndKill(
  root: string,
  until: { failpoint: FailpointName; hit: number } | { acks: number },
): Promise<number> {
  const report = join(root, `report-${randomUUID()}`);
  const armed = "acks" in until ? "" : `${until.failpoint}:${until.hit}:${report}`;
  const running = spawn(process.execPath, [child, root], {
    env: { ...process.env, HIGHWATER_FAILPOINT: armed },
    stdio: ["ignore", "pipe", "pipe"],
  });
  const exited = once(running, "exit");
  let [output, errors, acks] = ["", "", 0];
  running.stderr.on("data", (chunk: Buffer) => (errors += chunk.toString()));
  running.stdout.on("data", (chunk: Buffer) => {
    output += chunk.toString();
    acks = output.split("\n").length - 1;
  });
  try {
    await expect
      .poll(
        () => {
          if (running.exitCode !== null) throw new Error(`the child ended: ${errors}`);
          return "acks" in until ? acks >= until.acks : existsSync(report);
        },
        { timeout: 30_000, interval: 5 },
      )
      .toBe(true);
  } finally {
    running.kill("SIGKILL");
    await exited;
  }
  const lines = output.split("\n").slice(0, -1);
  return Number(lines.at(-1) ?? "0");
}

/** Opens the log as the next process would, and checks that it holds a prefix that covers all that was acknowledged. */
function checkReopened(log: LogFixture, acknowledged: number): number {
  const writer = log.writer({ limits: { segmentMaxBytes: 4_096, segmentMaxAgeMs: 3_600_000 } });
  expect(writer.takeover).toEqual({ quarantined: [], tailLost: null });
  const reader = log.reader();
  const records = readAll(reader, reader.tail(), 500);
  expect(records.map(({ offset }) => offset)).toEqual(records.map((_, index) => reader.tail() + index));
  expect(records.at(-1)?.offset).toBe(writer.head());
  expect(records[0]?.kind).toBe("settings");
  const events = records.filter(({ kind }) => kind === "event").map((record) => Number(textOf(record)));
  const cursor = Number(writer.cursor() ?? "0");
  expect(events).toEqual(Array.from(events, (_, index) => cursor - events.length + 1 + index));
  expect(cursor).toBeGreaterThanOrEqual(acknowledged);
  expect(cursor % 40).toBe(0);
  expect(writer.counters().appended).toBe(writer.head());
  expect(listOrphanSideFiles(log.folder)).toEqual([]);
  writer.close();
  reader.close();
  return cursor;
}

function readOrSkip(reader: LogReader, from: number): LogRead | null {
  try {
    return reader.read(toOffset(from), 200, 1_000_000);
  } catch (error) {
    if (error instanceof AppError && error.code === "log-gone") return null;
    throw error;
  }
}

/** Printed in the test's title; HIGHWATER_SEED repeats a run. */
const seed = Number(process.env["HIGHWATER_SEED"] ?? Date.now() % 1_000_000);

describe("a log whose writer is killed", () => {
  let log: LogFixture;
  beforeEach(() => {
    log = new LogFixture();
  });
  afterEach(() => {
    log.dispose();
  });

  const places = FAILPOINT_NAMES.filter((name) => name === "ingest-in-append" || name.startsWith("log-"));

  test.each(places)("at %s reopens with a prefix and its cursor, again and again", async (failpoint) => {
    let cursor = 0;
    for (const hit of [1, 2, 5]) {
      const acknowledged = await runAndKill(log.root, { failpoint, hit });
      const next = checkReopened(log, acknowledged);
      expect(next).toBeGreaterThanOrEqual(cursor);
      cursor = next;
    }
    expect(existsSync(log.quarantine)).toBe(false);
  });

  test("is followed by a reader through appends, rotations and retention of the other process", async () => {
    const reader = log.reader();
    const running = spawn(process.execPath, [child, log.root], { stdio: "ignore" });
    const exited = once(running, "exit");
    const seen: number[] = [];
    let next = 1;
    try {
      await expect
        .poll(
          () => {
            // Falling behind the 500 records that the child keeps is allowed here: a real reader holds a lease.
            next = Math.max(next, reader.tail());
            const read = readOrSkip(reader, next);
            if (read === null) return seen.length >= 3_000;
            expect(read.unreadable).toEqual([]);
            expect(read.records.map(({ offset }) => offset)).toEqual(read.records.map((_, at) => next + at));
            seen.push(
              ...read.records.filter(({ kind }) => kind === "event").map((record) => Number(textOf(record))),
            );
            next = read.toOffset + 1;
            return seen.length >= 3_000;
          },
          { timeout: 60_000, interval: 2 },
        )
        .toBe(true);
    } finally {
      running.kill("SIGKILL");
      await exited;
    }
    expect(seen.every((value, at) => at === 0 || value > (seen[at - 1] ?? 0))).toBe(true);
    expect(reader.segments().length).toBeGreaterThan(1);
  });

  test(`at 10 random moments (seed ${seed}) never loses an acknowledged record nor runs ahead`, async () => {
    let cursor = 0;
    for (const acks of fc.sample(fc.integer({ min: 1, max: 60 }), { seed, numRuns: 10 })) {
      const acknowledged = await runAndKill(log.root, { acks });
      expect(acknowledged).toBeGreaterThan(cursor);
      cursor = checkReopened(log, acknowledged);
    }
    expect(readdirSync(log.folder).filter((name) => name.endsWith(".sqlite")).length).toBeLessThan(40);
  });
});
