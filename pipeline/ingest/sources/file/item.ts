import { createHash, type Hash } from "node:crypto";
import type { OversizedDetail } from "#storage/model/record.ts";
import type { FrameLimits, ReceivedFrame } from "../../source-contract.ts";

/** Event type of a record that a file gives; only raw SSE names its own. */
const FILE_STREAM = "file";

/** Collects the bytes of one record, cut anywhere; above the cap keeps its first part, its length and its hash. */
export class ItemCollector {
  readonly #limits: FrameLimits;
  #parts: Uint8Array[] = [];
  #length = 0;
  #hash: Hash | null = null;

  constructor(limits: FrameLimits) {
    this.#limits = limits;
  }

  get length(): number {
    return this.#length;
  }

  add(bytes: Uint8Array): void {
    if (bytes.length === 0) return;
    this.#length += bytes.length;
    if (this.#hash === null) this.#parts.push(bytes);
    else this.#hash.update(bytes);
    if (this.#hash === null && this.#length > this.#limits.capBytes) this.#becomeOversized();
  }

  /** The record, and the collector is empty again. `dropCr`: a CR at its end belonged to the line end. */
  take(position: string, dropCr: boolean): ReceivedFrame | null {
    const whole =
      this.#parts.length === 1 && this.#parts[0] !== undefined ? this.#parts[0] : Buffer.concat(this.#parts);
    const data = dropCr && this.#hash === null && whole.at(-1) === 13 ? whole.subarray(0, -1) : whole;
    const detail = this.#hash === null ? null : this.#detail(this.#hash);
    this.#parts = [];
    this.#length = 0;
    this.#hash = null;
    if (detail === null && isBlank(data)) return null;
    const kind = detail === null ? "event" : "oversized";
    return { kind, stream: FILE_STREAM, sourceId: "", data, detail, position };
  }

  #detail(hash: Hash): string {
    return JSON.stringify({
      lengthBytes: this.#length,
      sha256: hash.digest("hex"),
    } satisfies OversizedDetail);
  }

  #becomeOversized(): void {
    const whole = Buffer.concat(this.#parts);
    this.#hash = createHash("sha256").update(whole);
    this.#parts = [Buffer.from(whole.subarray(0, this.#limits.keepBytes))];
  }
}

function isBlank(bytes: Uint8Array): boolean {
  return bytes.every((byte) => byte === 32 || byte === 9 || byte === 13);
}
