import { LaneSum } from "#storage/lake/hash/lane-sum.ts";
import type { HashLanes } from "#storage/lake/hash/word-hash.ts";
import type { SourceName } from "#storage/model/brand.ts";
import { LEDGER_HOPS, type LedgerEntry, type LedgerHop } from "#storage/model/ledger.ts";

const MASK_64 = (1n << 64n) - 1n;

type Sum = { count: number; readonly identities: LaneSum };
type Total = { count: number; identityHash: bigint };

/**
 * Account of one batch, or of a recount: per hop and stream, how many records and the sum of their identities' hashes
 * (mod 2^64), so that a lost, doubled or swapped record shows, whatever the order.
 */
export class LedgerAccount {
  readonly #sums = new Map<string, Map<LedgerHop, Sum>>();

  add(stream: string, hop: LedgerHop, identity: HashLanes): void {
    const sum = this.#sumOf(stream, hop);
    sum.count += 1;
    sum.identities.add(identity);
  }

  addSum(stream: string, hop: LedgerHop, count: number, identityHash: bigint): void {
    const sum = this.#sumOf(stream, hop);
    sum.count += count;
    sum.identities.addHash(identityHash);
  }

  /** Entries in a fixed order: streams as they first came, hops in the order of the journey. */
  entries(source: SourceName): readonly LedgerEntry[] {
    const entries: LedgerEntry[] = [];
    for (const [stream, hops] of this.#sums) {
      for (const hop of LEDGER_HOPS) {
        const sum = hops.get(hop);
        if (sum === undefined || sum.count === 0) continue;
        entries.push({ source, stream, hop, count: sum.count, identityHash: sum.identities.value });
      }
    }
    return entries;
  }

  #sumOf(stream: string, hop: LedgerHop): Sum {
    let hops = this.#sums.get(stream);
    if (hops === undefined) {
      hops = new Map();
      this.#sums.set(stream, hops);
    }
    let sum = hops.get(hop);
    if (sum === undefined) {
      sum = { count: 0, identities: new LaneSum() };
      hops.set(hop, sum);
    }
    return sum;
  }
}

/** Sums of several accounts' entries by hop, over all streams. */
export function totalsByHop(entries: readonly LedgerEntry[]): Readonly<Record<LedgerHop, Total>> {
  const totals: Record<LedgerHop, Total> = {
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

function none(): Total {
  return { count: 0, identityHash: 0n };
}
