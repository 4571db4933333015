import {
  type ChangeDesc,
  type EditorState,
  type Extension,
  RangeSet,
  StateEffect,
  StateField,
} from "@codemirror/state";
import { Decoration, EditorView, gutter, GutterMarker, type DecorationSet } from "@codemirror/view";
import { statementAt } from "#storage/model/sql-text.ts";

/** How the statement that was run ended; `failed` says where, in the text of the editor, and why. */
export type RanOutcome =
  | { readonly state: "running" | "done" | "cancelled" }
  | { readonly state: "failed"; readonly message: string; readonly errorAt: number | null };

/** The stretch that was run, as it lies in the text by now. */
export type Ran = { readonly from: number; readonly to: number; readonly outcome: RanOutcome };

/** Marks a stretch as run; null takes the mark away. */
export const markRan = StateEffect.define<Ran | null>();
/** How the marked stretch ended. `errorOffset`: from its beginning, as it was sent; null where no place is known. */
export const markOutcome = StateEffect.define<
  | { readonly state: "done" | "cancelled" }
  | { readonly state: "failed"; readonly message: string; readonly errorOffset: number | null }
>();

/** Above it the statement at the cursor is not looked for at every key. */
const MAX_FOLLOWED_CHARS = 200_000;

/** What was run last in this text. */
export const ranField = StateField.define<Ran | null>({
  create: () => null,
  update(ran, transaction) {
    let next = ran;
    if (next !== null && transaction.docChanged) {
      const { from, to, outcome } = next;
      const isTouched = touches(transaction.changes, next);
      const moved = { from: transaction.changes.mapPos(from, 1), to: transaction.changes.mapPos(to, -1) };
      next =
        moved.from >= moved.to
          ? null
          : { ...moved, outcome: isTouched ? withoutPlace(outcome) : mapped(outcome, transaction.changes) };
    }
    for (const effect of transaction.effects) {
      if (effect.is(markRan)) next = effect.value;
      else if (effect.is(markOutcome) && next !== null)
        next = { ...next, outcome: placed(effect.value, next) };
    }
    return next;
  },
});

/** Whether a change lies inside, or goes on at the end; what is written right before it leaves it as it is. */
function touches(changes: ChangeDesc, { from, to }: Pick<Ran, "from" | "to">): boolean {
  let isTouched = false;
  changes.iterChangedRanges((fromA, toA) => {
    if (toA > from && fromA <= to) isTouched = true;
  });
  return isTouched;
}

type Changes = { mapPos: (position: number) => number };

/** A text that was changed since is no longer the one that the error means. */
function withoutPlace(outcome: RanOutcome): RanOutcome {
  return outcome.state === "failed" ? { ...outcome, errorAt: null } : outcome;
}

function mapped(outcome: RanOutcome, changes: Changes): RanOutcome {
  if (outcome.state !== "failed" || outcome.errorAt === null) return outcome;
  return { ...outcome, errorAt: changes.mapPos(outcome.errorAt) };
}

type Ended = ReturnType<typeof markOutcome.of>["value"];

function placed(ended: Ended, { from, to }: Ran): RanOutcome {
  if (ended.state !== "failed") return ended;
  const { message, errorOffset } = ended;
  const at = errorOffset === null ? null : Math.min(to, from + errorOffset);
  return { state: "failed", message, errorAt: at };
}

/** Lines of the statement that a run at the cursor would take; null where there is none or the text is too long. */
const currentField = StateField.define<{ readonly from: number; readonly to: number } | null>({
  create: currentStatement,
  update: (current, transaction) =>
    transaction.docChanged || transaction.selection !== undefined
      ? currentStatement(transaction.state)
      : current,
});

function currentStatement(state: EditorState): { readonly from: number; readonly to: number } | null {
  const { main } = state.selection;
  if (!main.empty) return { from: main.from, to: main.to };
  if (state.doc.length > MAX_FOLLOWED_CHARS) return null;
  const found = statementAt(state.doc.toString(), main.head);
  return found === null ? null : { from: found.codeFrom, to: found.codeTo };
}

/** The place of an error as a stretch: the word there, or the character before the end. */
function errorSpan(state: EditorState, at: number): { readonly from: number; readonly to: number } {
  const line = state.doc.lineAt(at);
  const rest = state.doc.sliceString(at, line.to);
  const word = /^(?:[\p{L}\p{N}_.$]+|'[^']*'?|"[^"]*"?|\s*\S)/u.exec(rest)?.[0].length ?? 0;
  if (word > 0) return { from: at, to: at + word };
  return { from: Math.max(line.from, at - 1), to: at };
}

const ranLine = Decoration.line({ class: "cm-ranLine" });

const decorations = EditorView.decorations.compute([ranField], (state): DecorationSet => {
  const ran = state.field(ranField);
  if (ran?.outcome.state !== "failed" || ran.outcome.errorAt === null) return Decoration.none;
  const { message, errorAt } = ran.outcome;
  const { from, to } = errorSpan(state, errorAt);
  const line = ranLine.range(state.doc.lineAt(errorAt).from);
  if (from >= to) return Decoration.set([line]);
  const mark = Decoration.mark({ class: "cm-errorPlace", attributes: { title: message } });
  return Decoration.set([line, mark.range(from, to)], true);
});

class Bar extends GutterMarker {
  override readonly elementClass: string;

  constructor(name: string) {
    super();
    this.elementClass = `cm-bar cm-bar-${name}`;
  }

  override eq(other: Bar): boolean {
    return other.elementClass === this.elementClass;
  }
}

const SIGNS = { running: "▸", done: "✓", cancelled: "–", failed: "✕" } as const;
const SIGN_TITLES = {
  running: "This statement runs",
  done: "This statement was run",
  cancelled: "This statement was cancelled",
} as const;

/** A sign at the first line of what was run; beside the bar, so that it does not need its colour to be told. */
class Sign extends GutterMarker {
  readonly #outcome: RanOutcome;
  override readonly elementClass: string;

  constructor(outcome: RanOutcome) {
    super();
    this.#outcome = outcome;
    this.elementClass = `cm-sign cm-sign-${outcome.state}`;
  }

  override eq(other: Sign): boolean {
    return other.#outcome === this.#outcome;
  }

  override toDOM(): Node {
    const sign = document.createElement("span");
    sign.textContent = SIGNS[this.#outcome.state];
    sign.title = this.#outcome.state === "failed" ? this.#outcome.message : SIGN_TITLES[this.#outcome.state];
    return sign;
  }
}

function linesOf(state: EditorState, { from, to }: { from: number; to: number }): readonly number[] {
  const first = state.doc.lineAt(Math.min(from, state.doc.length)).number;
  const last = state.doc.lineAt(Math.min(to, state.doc.length)).number;
  return Array.from({ length: last - first + 1 }, (_, index) => state.doc.line(first + index).from);
}

function bars(state: EditorState): RangeSet<GutterMarker> {
  const ran = state.field(ranField);
  const current = state.field(currentField);
  const ranLines = ran === null ? [] : linesOf(state, ran);
  const ranStarts = new Set(ranLines);
  const currentLines =
    current === null ? [] : linesOf(state, current).filter((start) => !ranStarts.has(start));
  const ranBar = ran === null ? null : new Bar(ran.outcome.state);
  return RangeSet.of(
    [
      ...currentLines.map((start) => new Bar("current").range(start)),
      ...(ranBar === null ? [] : ranLines.map((start) => ranBar.range(start))),
    ],
    true,
  );
}

function signs(state: EditorState): RangeSet<GutterMarker> {
  const ran = state.field(ranField);
  if (ran === null) return RangeSet.of<GutterMarker>([]);
  const at = ran.outcome.state === "failed" && ran.outcome.errorAt !== null ? ran.outcome.errorAt : ran.from;
  return RangeSet.of([new Sign(ran.outcome).range(state.doc.lineAt(at).from)]);
}

/** Which statement a run would take, which one was run, and the place of its error: in the text and beside it. */
export const statementMarks: Extension = [
  ranField,
  currentField,
  decorations,
  gutter({
    class: "cm-signs",
    markers: ({ state }) => signs(state),
    initialSpacer: () => new Sign({ state: "done" }),
  }),
  gutter({ class: "cm-bars", markers: ({ state }) => bars(state) }),
];
