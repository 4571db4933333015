const FIRST_BYTES = 4_096;

/**
 * Bytes that wait for the rest of their frame, copied into one buffer that doubles: a peer that sends single bytes costs
 * neither an object per byte nor quadratic copying. The caller bounds the length.
 */
export class ByteHold {
  #buffer: Buffer = Buffer.alloc(0);
  #length = 0;

  get length(): number {
    return this.#length;
  }

  /** Appends a copy of `bytes`. */
  add(bytes: Uint8Array): void {
    const needed = this.#length + bytes.length;
    if (needed > this.#buffer.length) {
      const grown = Buffer.allocUnsafeSlow(Math.max(FIRST_BYTES, needed, this.#buffer.length * 2));
      grown.set(this.#buffer.subarray(0, this.#length));
      this.#buffer = grown;
    }
    this.#buffer.set(bytes, this.#length);
    this.#length = needed;
  }

  /** Everything held with `bytes` behind it, as a buffer of its own; nothing is held afterwards. */
  takeWith(bytes: Uint8Array): Uint8Array {
    if (this.#length === 0) return bytes;
    const whole = Buffer.concat([this.#buffer.subarray(0, this.#length), bytes]);
    this.#length = 0;
    // A hold that grew for one big frame gives its memory back.
    if (this.#buffer.length > 1_048_576) this.#buffer = Buffer.alloc(0);
    return whole;
  }
}
