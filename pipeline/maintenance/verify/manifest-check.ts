import type { VerifyCheck } from "../../protocol/query-messages.ts";
import type { AuditRow } from "./audit-rows.ts";
import { Check } from "./check.ts";

/** What a demo feed says it sent (pipeline/demo-feed/manifest), as far as it is compared. */
export type FeedManifest = {
  readonly header: { readonly complete: boolean; readonly whole: boolean };
  readonly entries: () => AsyncIterable<FeedEntry>;
};

/** One distinct record of the feed and how often it was served in full. */
export type FeedEntry = {
  readonly id: string | null;
  readonly class: "ok" | "canary" | "malformed" | "late" | "oversized";
  readonly served: number;
  /** Of the data as served. */
  readonly sha256: string;
};

type Arrivals = { kept: number; again: number };

/**
 * The lake against the feed's own account, by identity. Servings that a cut connection swallowed never arrived, so a
 * record may come less often than it was served, but not never, and not more often.
 */
export class ManifestCheck {
  readonly #manifest: FeedManifest;
  readonly #check = new Check(
    "manifest",
    "what the feed served is in the lake, each once, and nothing else is",
  );
  readonly #changes = new Map<string, Arrivals>();
  readonly #letters = new Map<string, Arrivals>();
  readonly #canaries = new Map<string, Arrivals>();

  constructor(manifest: FeedManifest) {
    this.#manifest = manifest;
  }

  see(row: AuditRow): void {
    const { bronze, letter, discard, sha256 } = row;
    if (bronze !== null) count(this.#changes, bronze.id).kept += 1;
    else if (letter !== null) count(this.#letters, letter.key).kept += 1;
    else if (discard !== null && sha256 !== null) this.#seeDiscard(discard, sha256);
  }

  async finish(): Promise<VerifyCheck> {
    const totals = { records: 0, again: 0, servedAgain: 0 };
    for await (const entry of this.#manifest.entries()) {
      // Not served by this feed, but possibly by the one that was killed before it: kept twice is wrong all the same.
      if (entry.served === 0 && this.#manifest.header.whole) continue;
      totals.records += 1;
      totals.servedAgain += Math.max(0, entry.served - 1);
      totals.again += this.#compare(entry);
    }
    for (const [what, left] of Object.entries({
      id: this.#changes,
      dead: this.#letters,
      canary: this.#canaries,
    })) {
      for (const key of left.keys()) this.#check.fault(`${what} ${key} was never served`);
    }
    if (!this.#manifest.header.whole)
      this.#check.unknown("the feed was killed: what it had served until then is not counted");
    const { records, again, servedAgain } = totals;
    return this.#check.done(
      `${records} distinct records served, ${servedAgain} times again; ${again} of these arrived`,
    );
  }

  #seeDiscard({ reason, id, key }: NonNullable<AuditRow["discard"]>, sha256: string): void {
    if (reason === "filtered") count(this.#canaries, sha256).again += 1;
    else if (reason === "repeat") count(this.#letters, key).again += 1;
    else if (id !== null) count(this.#changes, id).again += 1;
  }

  #compare(entry: FeedEntry): number {
    const [arrivals, key] = this.#placeOf(entry);
    const found = arrivals.get(key);
    arrivals.delete(key);
    if (found === undefined && entry.served === 0) return 0;
    const name = `${entry.class} ${entry.id ?? entry.sha256}`;
    if (found === undefined) {
      // A feed that still runs, or was cut off, has served what nobody took yet.
      if (this.#manifest.header.complete) this.#check.lost(`${name} is missing`);
      else this.#check.unknown(`${name} is missing, and the manifest is not complete`);
      return 0;
    }
    const expected = entry.class === "canary" ? 0 : 1;
    if (found.kept < expected) this.#check.lost(`${name} is kept ${found.kept} times`);
    if (found.kept > expected) this.#check.doubled(`${name} is kept ${found.kept} times`);
    if (this.#manifest.header.whole && found.kept + found.again > entry.served) {
      this.#check.fault(
        `${name} was served ${entry.served} times and came ${found.kept + found.again} times`,
      );
    }
    return found.kept + found.again - 1;
  }

  #placeOf(entry: FeedEntry): readonly [Map<string, Arrivals>, string] {
    if (entry.class === "canary") return [this.#canaries, entry.sha256];
    if (entry.class === "malformed" || entry.class === "oversized") return [this.#letters, entry.sha256];
    return [this.#changes, entry.id ?? ""];
  }
}

function count(arrivals: Map<string, Arrivals>, key: string): Arrivals {
  let found = arrivals.get(key);
  if (found === undefined) {
    found = { kept: 0, again: 0 };
    arrivals.set(key, found);
  }
  return found;
}
