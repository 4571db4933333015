/** Ids of the rules for meaning, as settings name them (`disabledRules`). A test holds the list equal to the registry's. */
export const RULE_IDS = [
  "required-identity",
  "event-time-present",
  "event-time-plausible",
  "safe-integers",
  "wiki-domain",
  "revision-consistency",
  "length-consistency",
  "log-params",
] as const;
