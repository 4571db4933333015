import type { RecentChange } from "../recent-change.ts";
import type { Rule } from "../rule.ts";

type NumberIn = readonly [path: string, read: (event: RecentChange) => unknown];

const NUMBERS: readonly NumberIn[] = [
  ["/id", (event) => event.id],
  ["/namespace", (event) => event.namespace],
  ["/log_id", (event) => event.log_id],
  ["/length/old", ({ length }) => length?.old],
  ["/length/new", ({ length }) => length?.new],
  ["/revision/old", ({ revision }) => revision?.old],
  ["/revision/new", ({ revision }) => revision?.new],
  ["/meta/partition", ({ meta }) => meta.partition],
  ["/meta/offset", ({ meta }) => meta.offset],
  ["/type", (event) => event.type],
];

/** A number beyond 2^53 has lost digits when it was read; kept as it is, two rows could share an id that never was. */
export const safeIntegers = {
  id: "safe-integers",
  canBeDisabled: false,
  reasonCodes: ["integer-not-safe"],
  check: ({ event }) => {
    for (const [path, read] of NUMBERS) {
      const value = read(event);
      if (typeof value === "number" && !Number.isSafeInteger(value)) {
        return { reasonCode: "integer-not-safe", looked: { path, value } };
      }
    }
    return null;
  },
} as const satisfies Rule;
