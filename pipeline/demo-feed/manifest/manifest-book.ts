import { hash } from "node:crypto";

/** Most events a feed with a manifest produces: 34 bytes each are kept, 340 MB at the limit; production ends there. */
export const MAX_MANIFEST_EVENTS = 10_000_000;

const PAGE = 65_536;
const HASH_BYTES = 32;
const MAX_COUNT = 0xffff;

type Page = { readonly counts: Uint16Array; readonly hashes: Uint8Array };

/**
 * How often each event was served in full, and the hash of its bytes. Counting happens when the last byte of a frame is handed to
 * the socket: a client never has a frame that is not counted. Counts stop at 65,535.
 */
export class ManifestBook {
  readonly #pages: Page[] = [];
  readonly #canaries = new Map<string, number[]>();

  /** Event `k` was served with these bytes. */
  countEvent(k: number, data: string): void {
    const page = this.#pageOf(k);
    const at = k % PAGE;
    const count = page.counts[at] ?? 0;
    if (count === 0) page.hashes.set(hash("sha256", data, "buffer"), at * HASH_BYTES);
    page.counts[at] = Math.min(MAX_COUNT, count + 1);
  }

  countCanary(topic: string, c: number): void {
    const counts = this.#canaries.get(topic) ?? [];
    counts[c] = (counts[c] ?? 0) + 1;
    this.#canaries.set(topic, counts);
  }

  servings(k: number): number {
    return this.#pages[Math.floor(k / PAGE)]?.counts[k % PAGE] ?? 0;
  }

  canaryServings(topic: string, c: number): number {
    return this.#canaries.get(topic)?.[c] ?? 0;
  }

  /** SHA-256 of event `k` in hex; null where it was never served. */
  sha256(k: number): string | null {
    const page = this.#pages[Math.floor(k / PAGE)];
    if (page === undefined || this.servings(k) === 0) return null;
    const at = (k % PAGE) * HASH_BYTES;
    return Buffer.from(page.hashes.buffer, at, HASH_BYTES).toString("hex");
  }

  #pageOf(k: number): Page {
    const index = Math.floor(k / PAGE);
    for (let i = this.#pages.length; i <= index; i += 1) {
      this.#pages.push({ counts: new Uint16Array(PAGE), hashes: new Uint8Array(PAGE * HASH_BYTES) });
    }
    const page = this.#pages[index];
    if (page === undefined) throw new RangeError(`no manifest page for event ${k}`);
    return page;
  }
}
