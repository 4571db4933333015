import { mkdir } from "node:fs/promises";
import { createLeaseHolder, LEASE_RENEW_MS, type LeaseHolder } from "../files/lease.ts";
import type { SnapshotId } from "../model/brand.ts";

/**
 * The snapshots this process reads just now, as one lease file, so that nothing they name is deleted. One per process. Opened by
 * {@link openSnapshotLeases}; must be closed.
 */
export class SnapshotLeases {
  private readonly leases: string;
  private readonly holder: LeaseHolder;
  private readonly held = new Map<SnapshotId, number>();
  private readonly timer: NodeJS.Timeout;

  constructor(leases: string, holder: LeaseHolder) {
    this.leases = leases;
    this.holder = holder;
    // A renewal that fails is tried again in 30 s; the lease lives for four of them.
    this.timer = setInterval(() => void holder.renew().catch(() => undefined), LEASE_RENEW_MS);
    this.timer.unref();
  }

  /** Runs `body` while the snapshot is leased; the lease is durable before it starts. */
  async during<T>(at: SnapshotId, body: () => Promise<T>): Promise<T> {
    this.held.set(at, (this.held.get(at) ?? 0) + 1);
    try {
      await this.claim();
      return await body();
    } finally {
      const left = (this.held.get(at) ?? 1) - 1;
      if (left === 0) this.held.delete(at);
      else this.held.set(at, left);
      await this.claim();
    }
  }

  /** Ends every lease of this process. */
  async close(): Promise<void> {
    clearInterval(this.timer);
    await this.holder.release();
  }

  private async claim(): Promise<void> {
    if (this.held.size === 0) return this.holder.release();
    // A folder that was copied without its leases is a lake all the same.
    await mkdir(this.leases, { recursive: true });
    await this.holder.hold({ snapshots: [...this.held.keys()], logRanges: [] });
  }
}

/** Leases in the folder `leases` of a data folder. */
export function openSnapshotLeases(leases: string): SnapshotLeases {
  return new SnapshotLeases(leases, createLeaseHolder(leases));
}
