import type { Objection, Rule } from "../rule.ts";

/** Real ids are UUIDs of 36 characters and real wiki names under 40; more than this is no name. */
const MAX_NAME_CHARACTERS = 256;

/** Control characters, and what the decoder puts in place of broken ones: two ids could become one. */
// oxlint-disable-next-line no-control-regex
const UNREADABLE = /[\u0000-\u001f\u007f\u2400\ufffd]/;

/** An event must say which event it is (`meta.id`), where it happened (`wiki`) and what it is (`type`). */
export const requiredIdentity = {
  id: "required-identity",
  canBeDisabled: false,
  reasonCodes: [
    "missing-id",
    "unreadable-id",
    "missing-wiki",
    "unreadable-wiki",
    "missing-type",
    "unreadable-type",
  ],
  check: ({ event }) =>
    objectionTo("id", event.meta.id) ?? objectionTo("wiki", event.wiki) ?? objectionTo("type", event.type),
} as const satisfies Rule;

function objectionTo(
  name: "id" | "wiki" | "type",
  value: string | number | null | undefined,
): Objection | null {
  if (value === undefined || value === null || value === "") {
    return { reasonCode: `missing-${name}`, looked: { [name]: value } };
  }
  if (typeof value === "number" || (value.length <= MAX_NAME_CHARACTERS && !UNREADABLE.test(value)))
    return null;
  return { reasonCode: `unreadable-${name}`, looked: { [name]: value, characters: value.length } };
}
