import type { WindowMemory } from "#renderer/stores/window-memory.ts";
import { MAX_DRAFTS, newDraft, type Draft } from "./draft.ts";

const DRAFTS = "sql.drafts";
const HISTORY = "sql.history";
/** Characters of all drafts together that are kept over a restart: half of what a window may remember. */
const MAX_KEPT_CHARS = 500_000;
/** Of the statements run before. */
const MAX_HISTORY_CHARS = 100_000;

/** Drafts and which of them is shown. */
export type KeptDrafts = { readonly drafts: readonly Draft[]; readonly activeId: string };

/** The drafts that are kept: the first ones, as long as they are small enough together. */
export function keptIds(drafts: readonly Pick<Draft, "id" | "text">[]): ReadonlySet<string> {
  const kept = new Set<string>();
  let chars = 0;
  for (const { id, text } of drafts) {
    if (chars + text.length > MAX_KEPT_CHARS) continue;
    chars += text.length;
    kept.add(id);
  }
  return kept;
}

/** Remembers the drafts; what does not fit is left out, and `keptIds` says so. */
export function rememberDrafts(memory: WindowMemory, { drafts, activeId }: KeptDrafts): void {
  const kept = keptIds(drafts);
  memory.set(DRAFTS, {
    activeId,
    drafts: drafts
      .filter(({ id }) => kept.has(id))
      .map(({ id, title, text, anchor, head, asOf }) => ({ id, title, text, anchor, head, asOf })),
  });
}

/** The drafts of the last window; null where there are none that can be read. */
export function readDrafts(memory: WindowMemory): KeptDrafts | null {
  const { drafts, activeId } = fieldsOf(memory.get(DRAFTS));
  const read = (Array.isArray(drafts) ? drafts : []).slice(0, MAX_DRAFTS).flatMap(readDraft);
  // Two drafts of one name would share an editor.
  const unique = read.filter(({ id }, at) => read.findIndex((other) => other.id === id) === at);
  const [first] = unique;
  if (first === undefined) return null;
  return { drafts: unique, activeId: unique.find(({ id }) => id === activeId)?.id ?? first.id };
}

function readDraft(saved: unknown): readonly Draft[] {
  const { id, title, text, anchor, head, asOf } = fieldsOf(saved);
  if (typeof id !== "string" || typeof title !== "string" || typeof text !== "string") return [];
  const place = (value: unknown): number =>
    typeof value === "number" && Number.isInteger(value) && value >= 0 && value <= text.length
      ? value
      : text.length;
  const isSnapshot = typeof asOf === "number" && Number.isSafeInteger(asOf) && asOf >= 0;
  return [
    { ...newDraft(id, title, text, isSnapshot ? asOf : null), anchor: place(anchor), head: place(head) },
  ];
}

/** Remembers the statements run before, newest first. */
export function rememberHistory(memory: WindowMemory, history: readonly string[]): void {
  let chars = 0;
  memory.set(
    HISTORY,
    history.filter((text) => (chars += text.length) <= MAX_HISTORY_CHARS),
  );
}

/** Statements of earlier windows. */
export function readHistory(memory: WindowMemory): readonly string[] {
  const saved = memory.get(HISTORY);
  return Array.isArray(saved) ? saved.filter((text) => typeof text === "string") : [];
}

function fieldsOf(value: unknown): Record<string, unknown> {
  return typeof value === "object" && value !== null ? { ...value } : {};
}
