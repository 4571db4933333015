import type { EditorState, TransactionSpec } from "@codemirror/state";
import type { EditorView } from "@codemirror/view";
import { createDraftState } from "./draft-state.ts";

/** What of a draft is remembered while it is written. */
export type DraftText = { readonly text: string; readonly anchor: number; readonly head: number };

/**
 * The editor states of all drafts. One of them may be on screen; changes reach the others just as well, so that an error that
 * comes late is marked in the draft that it belongs to.
 */
export class DraftEditors {
  readonly #states = new Map<string, EditorState>();
  readonly #onChange: (id: string, now: DraftText) => void;
  #shown: { readonly id: string; readonly view: EditorView } | null = null;

  constructor(onChange: (id: string, now: DraftText) => void) {
    this.#onChange = onChange;
  }

  /** Begins a draft; one that is there stays as it is. */
  open(id: string, { text, anchor, head }: DraftText): void {
    if (this.#states.has(id)) return;
    this.#states.set(
      id,
      createDraftState(text, { anchor, head }, (state) => this.#take(id, state)),
    );
  }

  /** Forgets a draft. */
  close(id: string): void {
    this.#states.delete(id);
  }

  /** Shows a draft in the view; the one before keeps what was done to it. */
  show(id: string, view: EditorView): void {
    const state = this.#states.get(id);
    if (state === undefined) return;
    this.hide();
    this.#shown = { id, view };
    view.setState(state);
  }

  /** The view goes; its draft stays. */
  hide(): void {
    if (this.#shown !== null && this.#states.has(this.#shown.id))
      this.#states.set(this.#shown.id, this.#shown.view.state);
    this.#shown = null;
  }

  /** Changes a draft, on screen or not. */
  dispatch(id: string, change: TransactionSpec): void {
    if (this.#shown?.id === id) return this.#shown.view.dispatch(change);
    const state = this.#states.get(id);
    if (state === undefined) return;
    const transaction = state.update(change);
    this.#states.set(id, transaction.state);
    if (transaction.docChanged) this.#take(id, transaction.state);
  }

  /** The draft as it is now. */
  state(id: string): EditorState | null {
    return this.#shown?.id === id ? this.#shown.view.state : (this.#states.get(id) ?? null);
  }

  /** Gives the editor the keyboard, where it is on screen. */
  focus(): void {
    this.#shown?.view.focus();
  }

  #take(id: string, state: EditorState): void {
    const { anchor, head } = state.selection.main;
    this.#onChange(id, { text: state.doc.toString(), anchor, head });
  }
}
