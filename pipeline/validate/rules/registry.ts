import type { Rule } from "../rule.ts";
import { eventTimePlausible } from "./event-time-plausible.ts";
import { eventTimePresent } from "./event-time-present.ts";
import { lengthConsistency } from "./length-consistency.ts";
import { logParams } from "./log-params.ts";
import { requiredIdentity } from "./required-identity.ts";
import { revisionConsistency } from "./revision-consistency.ts";
import { safeIntegers } from "./safe-integers.ts";
import { wikiDomain } from "./wiki-domain.ts";

/** Every rule, in the order in which they are asked; the first objection decides. A test compares this list with the folder. */
export const RULES: readonly Rule[] = [
  requiredIdentity,
  eventTimePresent,
  eventTimePlausible,
  safeIntegers,
  wikiDomain,
  revisionConsistency,
  lengthConsistency,
  logParams,
];
