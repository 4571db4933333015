const FIRST_BYTES = 1024;
/** Up to here doubling keeps every integer exact, so zigzag needs no BigInt. */
const ZIGZAG_LIMIT = 2 ** 52;

/** A growing byte buffer that owns its memory, so that what `finish` gives can be moved to another thread. */
export class ByteWriter {
  private buffer: Uint8Array<ArrayBuffer>;
  private used = 0;

  constructor(firstBytes = FIRST_BYTES) {
    this.buffer = new Uint8Array(firstBytes);
  }

  /** Bytes written so far. */
  get length(): number {
    return this.used;
  }

  /** One byte. */
  byte(value: number): void {
    this.reserve(1);
    this.buffer[this.used] = value;
    this.used += 1;
  }

  /** Bytes as they are. */
  bytes(value: Uint8Array): void {
    this.reserve(value.byteLength);
    this.buffer.set(value, this.used);
    this.used += value.byteLength;
  }

  /** Unsigned LEB128 of a whole number up to 2^53. */
  varint(value: number): void {
    this.reserve(10);
    let rest = value;
    while (rest >= 128) {
      this.buffer[this.used] = (rest % 128) | 128;
      this.used += 1;
      rest = Math.floor(rest / 128);
    }
    this.buffer[this.used] = rest;
    this.used += 1;
  }

  /** Zigzag LEB128 of a safe integer. */
  zigzag(value: number): void {
    if (value >= 0 && value < ZIGZAG_LIMIT) this.varint(value * 2);
    else if (value < 0 && value >= -ZIGZAG_LIMIT) this.varint(-value * 2 - 1);
    else this.bigVarint(value >= 0 ? BigInt(value) * 2n : BigInt(-value) * 2n - 1n);
  }

  /** The bytes written, in memory of their own; the writer must not be used afterwards. */
  finish(): Uint8Array<ArrayBuffer> {
    return this.buffer.slice(0, this.used);
  }

  private bigVarint(value: bigint): void {
    let rest = value;
    while (rest >= 128n) {
      this.byte(Number(rest & 127n) | 128);
      rest >>= 7n;
    }
    this.byte(Number(rest));
  }

  private reserve(bytes: number): void {
    if (this.used + bytes <= this.buffer.length) return;
    const next = new Uint8Array(Math.max(this.buffer.length * 2, this.used + bytes));
    next.set(this.buffer.subarray(0, this.used));
    this.buffer = next;
  }
}
