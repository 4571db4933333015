import { NO_OFFSET, toOffset, type Offset, type SourceName } from "../../model/brand.ts";
import type { CatalogSession } from "../catalog/catalog-session.ts";
import { checkpointWal } from "./wal.ts";

/**
 * Up to which offset of each source the kept seal points hold every row, as far as a WAL checkpoint has carried their commits
 * into the database file. The log is deleted behind these offsets, so a lost `-wal` file must not take a seal back.
 */
export class CarriedSeals {
  readonly #session: CatalogSession;
  #carried: ReadonlyMap<string, number> = new Map();
  #sealPoint: number | null = null;

  constructor(session: CatalogSession) {
    this.#session = session;
    this.carry();
  }

  /** Last carried offset of the source, 0 without one. Never goes back. */
  offset(source: SourceName): Offset {
    return toOffset(this.#carried.get(source) ?? NO_OFFSET);
  }

  /**
   * Carries the newest seal point, unless it is already. Never waits: where a reader or another program is in the way, it does
   * nothing and the next call tries again.
   */
  carry(): void {
    const { database } = this.#session;
    const newest = database.prepare<[], number | null>("SELECT max(snapshot_id) FROM hw_seals").pluck().get();
    if (newest === null || newest === undefined || newest === this.#sealPoint) return;
    const offsets = database
      .prepare<[number], [string, number]>(
        "SELECT source, sealed_offset FROM hw_seal_offsets WHERE snapshot_id = ?",
      )
      .raw()
      .all(newest);
    if (!checkpointWal(database)) return;
    this.#sealPoint = newest;
    this.#carried = new Map([...this.#carried, ...offsets]);
  }
}
