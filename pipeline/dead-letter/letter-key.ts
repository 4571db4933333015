/**
 * By what a dead letter is recognised when it comes again: the SHA-256 of its bytes, or, where only the head of an oversized
 * frame was kept, that of the whole frame. Two large frames may begin alike for a megabyte and still be two records.
 * `detail`: the record's detail, or what quotes it: the trace of its dead letter, the detail of a repeat.
 */
export function letterKey(recordKind: string, sha256: string, detail: string | null): string {
  if (recordKind !== "oversized" || detail === null) return sha256;
  return /sha256\\*"\s*:\s*\\*"([0-9a-f]{64})/.exec(detail)?.[1] ?? sha256;
}
