import type { LogRecord } from "#storage/model/record.ts";
import type { ResultSettings } from "#storage/model/settings.ts";
import type { RecentChange } from "./recent-change.ts";

/** What a rule may look at. The event's shape was checked before. */
export type RuleInput = {
  readonly event: RecentChange;
  readonly record: LogRecord;
  readonly settings: ResultSettings;
  /** Microseconds; null only for the rule that says why there is none. */
  readonly eventTimeUs: number | null;
};

/** A rule's objection: a stable code and the values that it compared. */
export type Objection = {
  readonly reasonCode: string;
  readonly looked: Readonly<Record<string, string | number | boolean | null | undefined>>;
};

/** A named data-quality rule. One file in rules/ and one line in rules/registry.ts. */
export type Rule = {
  readonly id: string;
  /** False where bronze could not hold the record: such a rule is applied even when a setting names it. */
  readonly canBeDisabled: boolean;
  /** Every reason code that `check` can give, for the screen and for tests. */
  readonly reasonCodes: readonly string[];
  readonly check: (input: RuleInput) => Objection | null;
};
