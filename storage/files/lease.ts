import { readdirSync, readFileSync } from "node:fs";
import { rm } from "node:fs/promises";
import { join } from "node:path";
import { z } from "zod";
import type { Clock } from "../model/clock.ts";
import { systemClock } from "../model/clock.ts";
import { ownProcessStart, readProcessStart } from "./process-start.ts";
import { writeFileAtomic } from "./write-file-atomic.ts";

/** A lease that was not renewed for this long is void (architecture.md "Who writes what"). */
export const LEASE_LIFE_MS = 120_000;

/** How often a holder should renew: a quarter of its life, so that one missed timer harms nobody. */
export const LEASE_RENEW_MS = 30_000;

const leaseSchema = z.object({
  pid: z.int().min(1),
  processStart: z.string(),
  renewedAtMs: z.number(),
  /** Snapshot ids whose rows and files must stay. */
  snapshots: z.array(z.int().min(0)),
  /** Ranges of log offsets that must stay; `toOffset` null = up to the head. */
  logRanges: z.array(
    z.object({ source: z.string(), fromOffset: z.int().min(0), toOffset: z.int().min(0).nullable() }),
  ),
});

/** What one reading process needs to stay, as it stands in `leases/<pid>.json`. */
export type Lease = z.infer<typeof leaseSchema>;

/** What is leased. */
export type LeaseClaim = Pick<Lease, "snapshots" | "logRanges">;

/** This process's lease. Calls are carried out one after the other. */
export type LeaseHolder = {
  /** Replaces the claim; durable when it resolves, so wait for it before reading. */
  readonly hold: (claim: LeaseClaim) => Promise<void>;
  /** Says that the claim still counts; to be called every {@link LEASE_RENEW_MS}. Does nothing without a claim. */
  readonly renew: () => Promise<void>;
  /** Ends the claim and removes the file. */
  readonly release: () => Promise<void>;
};

/** A holder for this process in the folder `leases`. There must be only one in a process, since the file is named by pid. */
export function createLeaseHolder(leases: string, clock: Clock = systemClock): LeaseHolder {
  const path = join(leases, `${process.pid}.json`);
  let claim: LeaseClaim | null = null;
  let last: Promise<void> = Promise.resolve();

  // A failed write is told to its caller; the next call must not inherit it.
  const inTurn = (step: () => Promise<void>): Promise<void> => {
    const done = last.then(step);
    last = done.catch(() => undefined);
    return done;
  };
  const write = async (): Promise<void> => {
    if (claim === null) return;
    const lease: Lease = {
      pid: process.pid,
      processStart: ownProcessStart(),
      renewedAtMs: clock.nowMs(),
      snapshots: [...claim.snapshots],
      logRanges: [...claim.logRanges],
    };
    await writeFileAtomic(path, JSON.stringify(lease));
  };
  return {
    hold: (next) =>
      inTurn(async () => {
        claim = next;
        await write();
      }),
    renew: () => inTurn(write),
    release: () =>
      inTurn(async () => {
        claim = null;
        await rm(path, { force: true });
      }),
  };
}

/**
 * The leases in the folder `leases` that count now. Void and left out: unreadable ones, those whose process is gone or
 * was started at another time, and those not renewed for {@link LEASE_LIFE_MS}. Deletes nothing.
 */
export function readLeases(leases: string, nowMs: number, processStart = readProcessStart): readonly Lease[] {
  const found: Lease[] = [];
  for (const name of leaseFiles(leases)) {
    const lease = readLease(join(leases, name));
    if (lease === null || nowMs - lease.renewedAtMs > LEASE_LIFE_MS) continue;
    if (processStart(lease.pid) === lease.processStart) found.push(lease);
  }
  return found;
}

function leaseFiles(leases: string): readonly string[] {
  try {
    return readdirSync(leases).filter((name) => /^\d+\.json$/.test(name));
  } catch {
    // No folder yet: nobody can have leased anything.
    return [];
  }
}

function readLease(path: string): Lease | null {
  try {
    const parsed = leaseSchema.safeParse(JSON.parse(readFileSync(path, "utf8")));
    return parsed.success ? parsed.data : null;
  } catch {
    // Released between listing and reading, or not ours.
    return null;
  }
}
