import { EditorView } from "@codemirror/view";
import { createStore, type StoreApi } from "zustand/vanilla";
import type { Bridge } from "#main/contract/bridge.ts";
import type { CommandResults } from "#main/contract/commands.ts";
import type { WireError } from "#storage/model/errors.ts";
import { call } from "#renderer/bridge/call.ts";
import { GridView } from "#renderer/components/result-grid/grid-view.ts";
import type { ExportFormat, Exports } from "#renderer/stores/exports.ts";
import type { Notifications } from "#renderer/stores/notifications.ts";
import type { WindowMemory } from "#renderer/stores/window-memory.ts";
import { DraftEditors } from "./draft-editors.ts";
import { readDrafts, readHistory, rememberDrafts, rememberHistory } from "./draft-memory.ts";
import { freeTitle, MAX_DRAFTS, newDraft, type Draft, type DraftPlace } from "./draft.ts";
import { runTarget, type RunTarget } from "./run-target.ts";
import { markOutcome, markRan, ranField } from "./statement-marks.ts";

/** A kept snapshot, for the picker. */
export type PickableSnapshot = CommandResults["lake.snapshots"]["snapshots"][number];

/** What the SQL room holds; all of it outlives a change of tabs, drafts and history a restart as well. */
export type SqlState = {
  readonly drafts: readonly Draft[];
  readonly activeId: string;
  readonly snapshots: readonly PickableSnapshot[];
  /** Statements run before, newest first, as they were typed. */
  readonly history: readonly string[];
};

/** What the room works with. */
export type SqlRoomParts = {
  readonly bridge: Bridge;
  readonly memory: WindowMemory;
  readonly notifications: Notifications;
  readonly exports: Pick<Exports, "saveStatement">;
};

/** Rows that come to the window; the total is counted, and all of them can be saved. */
export const MAX_ROWS = 10_000;
/** Text of a cell in the window's page, UTF-16 units: more than a row shows; 200 cells of 2 MB would freeze the window. */
export const PAGE_CELL_CHARS = 1_000;
/** Statements kept in the history. */
export const MAX_HISTORY = 50;
/** Snapshots in the picker, newest first. */
const MAX_SNAPSHOTS = 500;

const FIRST_TEXT = `-- The most edited pages of the newest five minutes. Ctrl+Enter runs the statement at the cursor.
SELECT wiki, title, count(*) AS edits
FROM silver.changes
WHERE type IN ('edit', 'new')
  AND event_time > (SELECT max(event_time) FROM silver.changes) - INTERVAL 5 MINUTE
GROUP BY ALL
ORDER BY edits DESC, wiki, title
LIMIT 50`;

/** The draft that is shown. */
export function activeDraft({ drafts, activeId }: SqlState): Draft {
  const found = drafts.find(({ id }) => id === activeId) ?? drafts[0];
  if (found === undefined) throw new Error("the SQL room has no draft");
  return found;
}

/** The SQL room of one window: drafts, each with its own text, cursor, running statement and result. */
export class SqlRoom {
  readonly store: StoreApi<SqlState>;
  readonly editors: DraftEditors;
  readonly #parts: SqlRoomParts;
  /** Names of runs stay apart from those of the window before, whose statements may still run. */
  readonly #window = Math.random().toString(36).slice(2, 10);
  #count = 0;

  constructor(parts: SqlRoomParts) {
    this.#parts = parts;
    const first = newDraft("draft-1", "Draft 1", FIRST_TEXT);
    const kept = readDrafts(parts.memory) ?? { drafts: [first], activeId: first.id };
    const history = readHistory(parts.memory).slice(0, MAX_HISTORY);
    this.store = createStore<SqlState>(() => ({ ...kept, snapshots: [], history }));
    this.editors = new DraftEditors((id, now) => this.#change(id, now));
    for (const draft of kept.drafts) this.editors.open(draft.id, draft);
    this.store.subscribe((state, before) => {
      if (state.drafts !== before.drafts || state.activeId !== before.activeId)
        rememberDrafts(parts.memory, state);
      if (state.history !== before.history) rememberHistory(parts.memory, state.history);
    });
  }

  /** Replaces the text of the draft that is shown; the editor's undo brings the old one back. */
  setText(text: string): void {
    const { id } = activeDraft(this.store.getState());
    const doc = this.editors.state(id)?.doc.toString() ?? "";
    if (doc === text) return;
    this.editors.dispatch(id, {
      changes: { from: 0, to: doc.length, insert: text },
      selection: { anchor: text.length },
    });
  }

  /** Selects a stretch of the draft that is shown, and brings it into view. */
  select(anchor: number, head: number = anchor): void {
    const { id } = activeDraft(this.store.getState());
    this.editors.dispatch(id, { selection: { anchor, head }, scrollIntoView: true });
    const { main } = this.editors.state(id)?.selection ?? { main: { anchor, head } };
    this.#change(id, { anchor: main.anchor, head: main.head });
  }

  setAsOf(asOf: number | null): void {
    this.#change(activeDraft(this.store.getState()).id, { asOf });
  }

  /** Reads which snapshots can be picked. */
  async loadSnapshots(): Promise<void> {
    const answer = await call(this.#parts.bridge, "lake.snapshots", { limit: MAX_SNAPSHOTS });
    // Without a lake there is nothing to pick; the statement itself will say so.
    if (answer.ok) this.store.setState({ snapshots: answer.value.snapshots });
  }

  /** Opens a draft with a text; an empty one that is shown takes it itself. */
  openDraft(text: string, asOf: number | null = null): void {
    const { drafts } = this.store.getState();
    const shown = activeDraft(this.store.getState());
    if (text !== "" && shown.text.trim() === "" && shown.running === null) {
      this.setText(text);
      return this.#change(shown.id, { asOf });
    }
    if (drafts.length >= MAX_DRAFTS) {
      const detail = `${MAX_DRAFTS} drafts are open; close one.`;
      this.#parts.notifications.tell({ tone: "warn", text: "No new draft was opened.", detail });
      return;
    }
    this.#count += 1;
    this.#add(newDraft(`draft-${this.#window}-${this.#count}`, freeTitle(drafts), text, asOf), drafts.length);
  }

  showDraft(id: string): void {
    this.store.setState({ activeId: id });
  }

  /** Shows the draft `by` places further, around the ends. */
  stepDraft(by: 1 | -1): void {
    const { drafts, activeId } = this.store.getState();
    const at = drafts.findIndex(({ id }) => id === activeId);
    this.showDraft(drafts.at((at + by) % drafts.length)?.id ?? activeId);
  }

  /** Closes a draft (the one that is shown) and cancels its statement; a notification brings it back. */
  closeDraft(id: string = this.store.getState().activeId): void {
    const { drafts, activeId } = this.store.getState();
    const at = drafts.findIndex((draft) => draft.id === id);
    const closed = drafts[at];
    if (closed === undefined) return;
    this.#cancel(closed);
    const left = drafts.filter((draft) => draft.id !== id);
    this.editors.close(id);
    if (left.length === 0) {
      this.#count += 1;
      const fresh = newDraft(`draft-${this.#window}-${this.#count}`, "Draft 1", "");
      this.editors.open(fresh.id, fresh);
      this.store.setState({ drafts: [fresh], activeId: fresh.id });
    } else {
      const next = left[Math.min(at, left.length - 1)]?.id ?? activeId;
      this.store.setState({ drafts: left, activeId: id === activeId ? next : activeId });
    }
    if (closed.text.trim() === "") return;
    const undo = { label: "Undo", run: () => this.#add({ ...closed, running: null }, at) };
    this.#parts.notifications.tell({ tone: "info", text: `${closed.title} was closed.`, actions: [undo] });
  }

  /** Runs the selection, or the statement at the cursor; nothing while another one of this draft is under way. */
  async run(nowMs: number = Date.now()): Promise<void> {
    const { bridge, memory } = this.#parts;
    const draft = activeDraft(this.store.getState());
    const { id, asOf } = draft;
    if (draft.running !== null) return;
    const target = runTarget(draft);
    if (target === null) {
      const text = "Nothing to run: there is no statement at the cursor.";
      return this.#change(id, { message: { kind: "note", text } });
    }
    const runId = this.#begin(draft, target, nowMs);
    const { text } = target;
    const answer = await call(bridge, "sql.run", {
      runId,
      text,
      asOf,
      limit: MAX_ROWS,
      cellChars: PAGE_CELL_CHARS,
    });
    // A draft that was closed meanwhile takes no result, and one that was opened again runs under another name.
    if (this.#draft(id)?.running?.runId !== runId) return;
    if (!answer.ok) return this.#fail(draft, target, answer.error);
    this.editors.dispatch(id, { effects: markOutcome.of({ state: "done" }) });
    const result = { ...answer.value, text, view: new GridView(answer.value.page, memory) };
    this.#change(id, { running: null, result, message: null });
  }

  /** Runs once more, at the newest snapshot. */
  runAtNewest(): void {
    this.setAsOf(null);
    void this.run();
  }

  /** Ends the statement of the draft that is shown; the answer to it comes as an error of its own. */
  cancel(): void {
    this.#cancel(activeDraft(this.store.getState()));
  }

  /** Writes the whole result of the statement, of the snapshot that is shown, to a file that the user chooses. */
  async save(format: ExportFormat): Promise<void> {
    const { result } = activeDraft(this.store.getState());
    if (result !== null) await this.#parts.exports.saveStatement(result.text, result.snapshotId, format);
  }

  /** Puts the cursor where the error is. */
  goToError(): void {
    const { id } = activeDraft(this.store.getState());
    const outcome = this.editors.state(id)?.field(ranField)?.outcome;
    if (outcome?.state === "failed" && outcome.errorAt !== null) this.select(outcome.errorAt);
    this.editors.focus();
  }

  #begin(draft: Draft, target: RunTarget, nowMs: number): string {
    this.#count += 1;
    const runId = `sql-${this.#window}-${this.#count}`;
    const { from, to } = target;
    this.editors.dispatch(draft.id, { effects: markRan.of({ from, to, outcome: { state: "running" } }) });
    this.#change(draft.id, { running: { runId, sinceMs: nowMs }, message: null });
    this.store.setState(({ history }) => ({
      history: [target.text, ...history.filter((old) => old !== target.text)].slice(0, MAX_HISTORY),
    }));
    return runId;
  }

  #fail(draft: Draft, target: RunTarget, error: WireError): void {
    if (error.code === "statement-cancelled") {
      this.editors.dispatch(draft.id, { effects: markOutcome.of({ state: "cancelled" }) });
      const message = { kind: "note", text: "Cancelled. The rows shown before stay." } as const;
      return this.#change(draft.id, { running: null, message });
    }
    const { offset } = error.details;
    const at = typeof offset === "number" ? target.sentFrom + offset : null;
    const errorOffset = at === null ? null : at - target.from;
    const failed = { state: "failed", message: error.message, errorOffset } as const;
    this.editors.dispatch(draft.id, { effects: markOutcome.of(failed) });
    this.#showError(draft.id);
    const place = at === null ? null : placeIn(draft.text, at);
    this.#change(draft.id, { running: null, message: { kind: "error", error, place } });
  }

  /** Where the text was changed meanwhile, the mark knows better than the error. */
  #showError(id: string): void {
    const outcome = this.editors.state(id)?.field(ranField)?.outcome;
    if (outcome?.state !== "failed" || outcome.errorAt === null) return;
    const { errorAt } = outcome;
    this.editors.dispatch(id, { effects: EditorView.scrollIntoView(errorAt, { y: "nearest", yMargin: 36 }) });
  }

  #cancel({ running }: Draft): void {
    if (running !== null) void call(this.#parts.bridge, "run.cancel", { runId: running.runId });
  }

  #add(draft: Draft, at: number): void {
    const { drafts } = this.store.getState();
    this.editors.open(draft.id, draft);
    this.store.setState({ drafts: drafts.toSpliced(at, 0, draft), activeId: draft.id });
  }

  #draft(id: string): Draft | undefined {
    return this.store.getState().drafts.find((draft) => draft.id === id);
  }

  #change(id: string, change: Partial<Draft>): void {
    this.store.setState(({ drafts }) => ({
      drafts: drafts.map((draft) => (draft.id === id ? { ...draft, ...change } : draft)),
    }));
  }
}

function placeIn(text: string, at: number): DraftPlace {
  const lines = text.slice(0, at).split("\n");
  return { line: lines.length, column: (lines.at(-1) ?? "").length + 1 };
}
