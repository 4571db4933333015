/** A content or identity hash as the catalog keeps it: 16 hex digits of an unsigned 64-bit number. */
export function hashToText(hash: bigint): string {
  return BigInt.asUintN(64, hash).toString(16).padStart(16, "0");
}

/** Reads {@link hashToText}'s form back. */
export function hashFromText(text: string): bigint {
  return BigInt(`0x${text}`);
}
