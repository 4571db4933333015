import type { CommandResults } from "#main/contract/commands.ts";
import type { WireError } from "#storage/model/errors.ts";
import type { GridView } from "#renderer/components/result-grid/grid-view.ts";
import type { DraftText } from "./draft-editors.ts";

/** A result, the statement that gave it, and how its rows are looked at. */
export type DraftResult = CommandResults["sql.run"] & {
  /** As it was sent, and as it is saved: what was typed since is another statement. */
  readonly text: string;
  readonly view: GridView;
};

/** A place in a draft as it was when its statement was run; lines and columns from 1. */
export type DraftPlace = { readonly line: number; readonly column: number };

/** What is said below the editor. */
export type DraftMessage =
  | { readonly kind: "error"; readonly error: WireError; readonly place: DraftPlace | null }
  | { readonly kind: "note"; readonly text: string };

/** A text that is being written, with everything that belongs to it. */
export type Draft = DraftText & {
  readonly id: string;
  readonly title: string;
  /** Snapshot to read at; null = the newest. */
  readonly asOf: number | null;
  /** The statement under way; the result before stays, dimmed. */
  readonly running: { readonly runId: string; readonly sinceMs: number } | null;
  readonly message: DraftMessage | null;
  readonly result: DraftResult | null;
};

/** Drafts open at once; a person tells no more apart. */
export const MAX_DRAFTS = 20;

/** A fresh draft. */
export function newDraft(id: string, title: string, text: string, asOf: number | null = null): Draft {
  return {
    id,
    title,
    text,
    anchor: text.length,
    head: text.length,
    asOf,
    running: null,
    message: null,
    result: null,
  };
}

/** The first free `Draft n`. */
export function freeTitle(drafts: readonly Pick<Draft, "title">[]): string {
  const taken = new Set(drafts.map(({ title }) => title));
  for (let n = 1; ; n += 1) if (!taken.has(`Draft ${n}`)) return `Draft ${n}`;
}
