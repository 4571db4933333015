import { splitStatements, statementAt } from "#storage/model/sql-text.ts";
import type { DraftText } from "./draft-editors.ts";

/** What a run sends, and the stretch of it that is marked as run. */
export type RunTarget = {
  readonly text: string;
  /** Where the sent text begins in the draft. */
  readonly sentFrom: number;
  readonly from: number;
  readonly to: number;
};

/**
 * What Ctrl+Enter runs: the selection where there is one, as it was selected; else the statement at the cursor with its comments,
 * as it was typed. Null where that has nothing but comments and blanks.
 */
export function runTarget({ text, anchor, head }: DraftText): RunTarget | null {
  const [from, to] = [Math.min(anchor, head), Math.max(anchor, head)];
  if (from < to) {
    const selected = text.slice(from, to);
    const statements = splitStatements(selected);
    const [first, last] = [statements[0], statements.at(-1)];
    if (first === undefined || last === undefined) return null;
    return { text: selected, sentFrom: from, from: from + first.codeFrom, to: from + last.codeTo };
  }
  const found = statementAt(text, head);
  if (found === null) return null;
  const whole = text.slice(found.from, found.to);
  const sentFrom = found.from + (whole.length - whole.trimStart().length);
  return { text: whole.trim(), sentFrom, from: found.codeFrom, to: found.codeTo };
}
