import type { Change } from "../protocol/change.ts";

/** Growth of the page in bytes; a missing old length counts as 0 (new pages), a missing new one as unknown. */
export function bytesChangedOf(change: Change): number | null {
  const after = change.length?.new ?? null;
  return after === null ? null : after - (change.length?.old ?? 0);
}
