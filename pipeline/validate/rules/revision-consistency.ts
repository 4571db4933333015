import type { OldNewJson } from "../recent-change.ts";
import type { Rule } from "../rule.ts";

/**
 * Revision ids of edits and new pages: positive, growing, and none before a page's first. 0 as the old id is what
 * MediaWiki writes for "none". Absent ids are normal in odd eras and not judged.
 */
export const revisionConsistency = {
  id: "revision-consistency",
  canBeDisabled: true,
  reasonCodes: ["revision-not-positive", "revision-not-growing", "new-page-with-old-revision"],
  check: ({ event }) => {
    const { revision, type } = event;
    if (!revision || (type !== "edit" && type !== "new")) return null;
    const reasonCode = reasonAgainst(revision, type);
    return reasonCode === null
      ? null
      : { reasonCode, looked: { type, old: revision.old, new: revision.new } };
  },
} as const satisfies Rule;

function reasonAgainst(revision: OldNewJson, type: "edit" | "new"): string | null {
  const before = revision.old ?? 0;
  const after = revision.new ?? null;
  if (before < 0 || (after !== null && after <= 0)) return "revision-not-positive";
  if (type === "new" && before > 0) return "new-page-with-old-revision";
  return after !== null && after <= before ? "revision-not-growing" : null;
}
