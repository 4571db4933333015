import { describe, expect, test } from "vitest";
import type { LogAccount } from "#storage/model/log.ts";
import { FakeLog, logRecord } from "../../batch/fake-log.test-support.ts";
import { replay, SOURCE } from "../../batch/replay.test-support.ts";
import type { VerifyCheck } from "../../protocol/query-messages.ts";
import { event } from "../../validate/events.test-support.ts";
import { verdictOf } from "./check.ts";
import { verifyLake } from "./verify-lake.ts";

const edit = (id: string) => logRecord(JSON.stringify(event({ meta: { id } })));
const oversized = logRecord("x".repeat(50), {
  kind: "oversized",
  detail: JSON.stringify({ lengthBytes: 12_000_000, sha256: "00" }),
});
const COMMITTED = [edit("a"), edit("b"), oversized];

/** A log whose account says what a test wants it to say. */
class TellingLog extends FakeLog {
  change: (account: LogAccount) => LogAccount = (account) => account;

  override account(): LogAccount {
    return this.change(super.account());
  }
}

async function verify(log: FakeLog): Promise<{ checks: readonly VerifyCheck[]; inFlight: VerifyCheck }> {
  const lake = await replay(COMMITTED);
  const checks = await verifyLake({ reader: lake.reader(), source: SOURCE, logReader: log });
  const inFlight = checks.find(({ id }) => id === "in-flight");
  if (inFlight === undefined) throw new Error("no check of the first hop");
  return { checks, inFlight };
}

function telling(change: (account: LogAccount) => LogAccount): TellingLog {
  const log = new TellingLog(SOURCE, [...COMMITTED]);
  log.change = change;
  return log;
}

const counted = (change: Partial<LogAccount["counters"]>) =>
  telling((account) => ({ ...account, counters: { ...account.counters, ...change } }));

test("received = in the lake + in flight, with every counter of the first hop named", async () => {
  const log = new TellingLog(SOURCE, [...COMMITTED, edit("c"), oversized]);
  log.change = (account) => ({
    ...account,
    counters: { ...account.counters, cutFrames: 4, emptyFrames: 2, connections: 3 },
  });
  const { inFlight } = await verify(log);
  expect(inFlight.verdict).toBe("ok");
  const bytes = log.account().counters.appendedBytes;
  expect(inFlight.detail).toBe(
    `5 records received (${bytes} bytes) over 3 connections, 2 oversized, 4 cut frames dropped with their id, 2 frames without data, in flight 2 (log head 5, checkpoint 3)`,
  );
});

describe("broken", () => {
  test("more records counted than the log has offsets", async () => {
    const { inFlight } = await verify(counted({ appended: 4 }));
    expect(inFlight).toMatchObject({
      verdict: "broken",
      examples: ["4 records counted, but the log ends at 3"],
    });
  });

  test("other bytes counted than the log holds", async () => {
    const { inFlight } = await verify(counted({ appendedBytes: 7 }));
    expect(inFlight.verdict).toBe("broken");
    expect(inFlight.examples[0]).toMatch(/^7 bytes counted, \d+ found$/);
  });
});

describe("cannot tell", () => {
  test("offsets that the account does not cover: a part of the log was lost", async () => {
    const { checks, inFlight } = await verify(counted({ appended: 1 }));
    expect(inFlight).toMatchObject({
      verdict: "cannot-tell",
      examples: ["2 of 3 offsets are not in the first hop's account: lost with a part of the log"],
    });
    expect(verdictOf(checks)).toBe("cannot-tell");
  });

  test("offsets in flight that cannot be read", async () => {
    const log = new TellingLog(SOURCE, [...COMMITTED, null, edit("c")]);
    // What was received there was counted, and is not there any more.
    log.change = (account) => ({ ...account, counters: { ...account.counters, appended: 5 } });
    const { inFlight } = await verify(log);
    expect(inFlight).toMatchObject({
      verdict: "cannot-tell",
      examples: ["1 offsets in flight cannot be read"],
    });
  });

  test("a log that ends before the checkpoint", async () => {
    const { checks, inFlight } = await verify(new TellingLog(SOURCE, COMMITTED.slice(0, 1)));
    expect(inFlight).toMatchObject({
      verdict: "cannot-tell",
      examples: ["the log ends at 1, before the checkpoint 3"],
    });
    expect(checks.find(({ id }) => id === "log")?.verdict).toBe("cannot-tell");
  });

  test("no log at all", async () => {
    const log = new FakeLog(SOURCE, []);
    const gone = Object.assign(log, { account: () => null });
    const lake = await replay(COMMITTED);
    const checks = await verifyLake({ reader: lake.reader(), source: SOURCE, logReader: gone });
    expect(checks.find(({ id }) => id === "in-flight")).toMatchObject({
      verdict: "cannot-tell",
      examples: ["the log is gone; the lake holds offsets up to 3"],
    });
  });
});
