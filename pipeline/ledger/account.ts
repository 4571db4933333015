import type { SourceName } from "#storage/model/brand.ts";
import { LEDGER_HOPS, type LedgerEntry, type LedgerHop } from "#storage/model/ledger.ts";

const MASK_64 = (1n << 64n) - 1n;

type Sum = { count: number; identityHash: bigint };

/**
 * Account of one batch, or of a recount: per hop and stream, how many records and the sum of their identities' hashes
 * (mod 2^64), so that a lost, doubled or swapped record shows, whatever the order.
 */
export class LedgerAccount {
  readonly #sums = new Map<string, Map<LedgerHop, Sum>>();

  add(stream: string, hop: LedgerHop, identity: bigint): void {
    this.addSum(stream, hop, 1, identity);
  }

  addSum(stream: string, hop: LedgerHop, count: number, identityHash: bigint): void {
    let hops = this.#sums.get(stream);
    if (hops === undefined) {
      hops = new Map();
      this.#sums.set(stream, hops);
    }
    const sum = hops.get(hop);
    if (sum === undefined) hops.set(hop, { count, identityHash });
    else {
      sum.count += count;
      sum.identityHash = (sum.identityHash + identityHash) & MASK_64;
    }
  }

  /** Entries in a fixed order: streams as they first came, hops in the order of the journey. */
  entries(source: SourceName): readonly LedgerEntry[] {
    const entries: LedgerEntry[] = [];
    for (const [stream, hops] of this.#sums) {
      for (const hop of LEDGER_HOPS) {
        const sum = hops.get(hop);
        if (sum !== undefined && sum.count > 0) entries.push({ source, stream, hop, ...sum });
      }
    }
    return entries;
  }
}

/** Sums of several accounts' entries by hop, over all streams. */
export function totalsByHop(entries: readonly LedgerEntry[]): Readonly<Record<LedgerHop, Sum>> {
  const totals: Record<LedgerHop, Sum> = {
    received: none(),
    filtered: none(),
    dead_letter: none(),
    duplicate: none(),
    repeat: none(),
    unreadable: none(),
    control: none(),
    bronze: none(),
    silver: none(),
    late: none(),
    horizon_evicted: none(),
  };
  for (const { hop, count, identityHash } of entries) {
    totals[hop].count += count;
    totals[hop].identityHash = (totals[hop].identityHash + identityHash) & MASK_64;
  }
  return totals;
}

function none(): Sum {
  return { count: 0, identityHash: 0n };
}
