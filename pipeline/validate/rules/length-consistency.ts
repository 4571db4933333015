import type { Rule } from "../rule.ts";

/** A page's length in bytes is never negative, and a new page was nothing before. */
export const lengthConsistency = {
  id: "length-consistency",
  canBeDisabled: true,
  reasonCodes: ["length-negative", "new-page-with-old-length"],
  check: ({ event }) => {
    const { length, type } = event;
    if (!length || (type !== "edit" && type !== "new")) return null;
    const before = length.old ?? 0;
    const looked = { type, old: length.old, new: length.new };
    if (before < 0 || (length.new ?? 0) < 0) return { reasonCode: "length-negative", looked };
    return type === "new" && before > 0 ? { reasonCode: "new-page-with-old-length", looked } : null;
  },
} as const satisfies Rule;
