import type { Rule } from "../rule.ts";

const isUnsafe = (value: number | null | undefined): boolean =>
  typeof value === "number" && !Number.isSafeInteger(value);

/** A number beyond 2^53 has lost digits when it was read; kept as it is, two rows could share an id that never was. */
export const safeIntegers = {
  id: "safe-integers",
  canBeDisabled: false,
  reasonCodes: ["integer-not-safe"],
  check: ({ event }) => {
    const { length, revision, meta } = event;
    const numbers: readonly (readonly [string, number | null | undefined])[] = [
      ["/id", event.id],
      ["/namespace", event.namespace],
      ["/log_id", event.log_id],
      ["/length/old", length?.old],
      ["/length/new", length?.new],
      ["/revision/old", revision?.old],
      ["/revision/new", revision?.new],
      ["/meta/partition", meta.partition],
      ["/meta/offset", meta.offset],
      ["/type", typeof event.type === "number" ? event.type : null],
    ];
    for (const [path, value] of numbers) {
      if (isUnsafe(value)) return { reasonCode: "integer-not-safe", looked: { path, value } };
    }
    return null;
  },
} as const satisfies Rule;
