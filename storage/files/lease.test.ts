import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { createLeaseHolder, LEASE_LIFE_MS, readLeases } from "./lease.ts";
import { ownProcessStart } from "./process-start.ts";
import { temporaryFolder } from "./temporary-folder.test-support.ts";

const claim = { snapshots: [7], logRanges: [{ source: "demo", fromOffset: 3, toOffset: null }] };

describe("a lease", () => {
  test("counts from the moment hold resolves until it is released", async () => {
    const temporary = temporaryFolder();
    const nowMs = 1_000_000;
    const holder = createLeaseHolder(temporary.path, { nowMs: () => nowMs, monotonicMs: () => 0 });
    await holder.renew();
    expect(readLeases(temporary.path, nowMs)).toEqual([]);
    await holder.hold(claim);
    expect(readLeases(temporary.path, nowMs)).toEqual([
      { ...claim, pid: process.pid, processStart: ownProcessStart(), renewedAtMs: nowMs },
    ]);
    await holder.release();
    expect(readdirSync(temporary.path)).toEqual([]);
  });

  test("is void when it was not renewed for two minutes, and lives on when it was", async () => {
    const temporary = temporaryFolder();
    let nowMs = 1_000_000;
    const holder = createLeaseHolder(temporary.path, { nowMs: () => nowMs, monotonicMs: () => 0 });
    await holder.hold(claim);
    expect(readLeases(temporary.path, nowMs + LEASE_LIFE_MS)).toHaveLength(1);
    expect(readLeases(temporary.path, nowMs + LEASE_LIFE_MS + 1)).toEqual([]);
    nowMs += LEASE_LIFE_MS;
    await holder.renew();
    expect(readLeases(temporary.path, nowMs + LEASE_LIFE_MS)).toHaveLength(1);
  });

  test("is void when its process is gone or another one has its pid, and unreadable files do no harm", async () => {
    const temporary = temporaryFolder();
    await createLeaseHolder(temporary.path).hold(claim);
    const now = Date.now();
    expect(readLeases(temporary.path, now, () => null)).toEqual([]);
    expect(readLeases(temporary.path, now, () => "another start")).toEqual([]);
    writeFileSync(join(temporary.path, "1.json"), "{");
    writeFileSync(join(temporary.path, "2.json"), "{}");
    expect(readLeases(temporary.path, now)).toHaveLength(1);
    expect(readLeases(join(temporary.path, "missing"), now)).toEqual([]);
  });

  test("carries out overlapping calls in their order", async () => {
    const temporary = temporaryFolder();
    const holder = createLeaseHolder(temporary.path);
    await Promise.all([
      holder.hold(claim),
      holder.renew(),
      holder.release(),
      holder.hold({ ...claim, snapshots: [8] }),
    ]);
    expect(JSON.parse(readFileSync(join(temporary.path, `${process.pid}.json`), "utf8"))).toMatchObject({
      snapshots: [8],
    });
  });
});
