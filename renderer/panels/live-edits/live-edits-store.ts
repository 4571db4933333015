import { createStore, type StoreApi } from "zustand/vanilla";
import type { Bridge } from "#main/contract/bridge.ts";
import type { AppStatus } from "#main/contract/app-status.ts";
import type { LiveRow } from "#pipeline/protocol/query-messages.ts";
import type { WireError } from "#storage/model/errors.ts";
import { call } from "#renderer/bridge/call.ts";
import {
  readWidths,
  setWidth,
  type ColumnWidths,
  type GridColumn,
} from "#renderer/components/row-grid/columns.ts";
import type { Scrolled } from "#renderer/components/row-grid/row-grid.tsx";
import { inspectRecord, NOTHING_INSPECTED, rowBeside, type Inspected } from "#renderer/stores/inspection.ts";
import type { WindowMemory } from "#renderer/stores/window-memory.ts";
import { filterRows } from "./filter-rows.ts";
import {
  NO_FILTER,
  nextBots,
  readFilter,
  togglePicked,
  type LiveFilter,
  type PickedPart,
} from "./live-filter.ts";
import { readPlace, type LivePlace } from "./live-place.ts";
import * as live from "./live-window.ts";

/** Names in the window's memory. */
const KEPT = {
  filter: "live-edits.filter",
  place: "live-edits.place",
  widths: "live-edits.widths",
} as const;
/** Rows below the last one on screen at which the next older page is fetched. */
const FETCH_AHEAD_ROWS = 100;

/** State of the panel; nothing here is a copy of main's state but the window of rows itself. */
export type LiveEditsState = {
  readonly window: live.LiveWindow;
  readonly filter: LiveFilter;
  readonly widths: ColumnWidths;
  /** Row at the upper edge while the window is held; null = the newest one. */
  readonly topOffset: number | null;
  readonly selectedOffset: number | null;
  readonly isInspectorOpen: boolean;
  readonly inspected: Inspected;
  /** The last fetch failed; it is tried again with the next status. */
  readonly error: WireError | null;
};

const START: Omit<LiveEditsState, "filter" | "widths"> = {
  window: live.EMPTY_WINDOW,
  topOffset: null,
  selectedOffset: null,
  isInspectorOpen: false,
  inspected: NOTHING_INSPECTED,
  error: null,
};

/** Several components ask for the rows of one state; they are filtered once. */
const shown = new WeakMap<
  readonly LiveRow[],
  { readonly filter: LiveFilter; readonly rows: readonly LiveRow[] }
>();

/** Newest first, filtered: the order on screen. The same array for the same rows and filter. */
export function visibleRows({
  window,
  filter,
}: Pick<LiveEditsState, "window" | "filter">): readonly LiveRow[] {
  const known = shown.get(window.rows);
  if (known?.filter === filter) return known.rows;
  const rows = filterRows(window.rows, filter).toReversed();
  shown.set(window.rows, { filter, rows });
  return rows;
}

/**
 * Drives the window over offsets: one fetch is under way at most, everything else waits for its answer. New statuses
 * announce, `planFollow` decides. Answers of another source, or of a folder that was left, are dropped.
 */
export class LiveEdits {
  readonly store: StoreApi<LiveEditsState>;
  readonly #bridge: Bridge;
  readonly #memory: WindowMemory;
  /** Where the window stood before a restart, until the first status says whether it is there again. */
  #kept: LivePlace | null;
  /** Names the lake that the rows are from. */
  #lake = "";
  #isFetching = false;
  #wanted: "older" | "newer" | null = null;

  constructor(bridge: Bridge, memory: WindowMemory) {
    this.#bridge = bridge;
    this.#memory = memory;
    this.#kept = readPlace(memory.get(KEPT.place));
    const filter = readFilter(memory.get(KEPT.filter));
    const widths = readWidths(memory.get(KEPT.widths));
    this.store = createStore<LiveEditsState>(() => ({ ...START, filter, widths }));
    this.store.subscribe((state, before) => this.#remember(state, before));
  }

  /** Takes the newest status. */
  takeStatus(status: AppStatus): void {
    const lake = `${status.dataFolder}\n${status.source}`;
    if (lake !== this.#lake) {
      this.#lake = lake;
      this.store.setState(START);
    }
    if (status.pipeline === null) return;
    const { checkpoint, ledger } = status.pipeline;
    this.#takeKeptPlace(checkpoint);
    this.#setWindow(live.announce(this.#state.window, { checkpoint, rows: ledger["silver"] ?? null }));
    this.#pump();
  }

  pause(): void {
    this.#setWindow(live.hold(this.#state.window, "user"));
  }

  resume(): void {
    this.#setWindow(live.release(this.#state.window));
    this.#pump();
  }

  togglePause(): void {
    if (this.#state.window.hold === null) this.pause();
    else this.resume();
  }

  /** The reader left the newest row, came back to it, or came near the oldest. */
  scrolled({ isAtTop, topOffset, isDown, rowsBelow }: Scrolled): void {
    const { window } = this.#state;
    this.store.setState({ topOffset: isAtTop ? null : topOffset });
    if (!isAtTop) this.#setWindow(live.hold(window, "scroll"));
    else if (live.planNewer(window) !== null) this.fetchNewer();
    else if (window.hold?.reason === "scroll") this.resume();
    // Only on the way down: a page that moves the list by itself must not fetch the next one, and so on to the first offset.
    if (!isAtTop && isDown && rowsBelow < FETCH_AHEAD_ROWS && window.coveredFrom > 1) this.fetchOlder();
  }

  fetchOlder(): void {
    this.#wanted = "older";
    this.#setWindow(live.hold(this.#state.window, "scroll"));
    this.#pump();
  }

  fetchNewer(): void {
    this.#wanted = "newer";
    this.#pump();
  }

  setFilter(filter: LiveFilter): void {
    this.store.setState({ filter });
  }

  setText(text: string): void {
    this.setFilter({ ...this.#state.filter, text });
  }

  togglePicked(part: PickedPart, value: string): void {
    this.setFilter(togglePicked(this.#state.filter, part, value));
  }

  /** All edits, only those of bots, or none of them, in turn. */
  turnBots(): void {
    const { filter } = this.#state;
    this.setFilter({ ...filter, bots: nextBots(filter.bots) });
  }

  /** Leaves only the edits of one page, as far as words can tell. */
  showPage(wiki: string, title: string): void {
    // A leading minus would exclude the word.
    this.setFilter({ ...NO_FILTER, wikis: [wiki], text: title.replaceAll(/(^|\s)-+/gu, "$1") });
  }

  clearFilter(): void {
    this.setFilter(NO_FILTER);
  }

  resize(column: GridColumn, px: number | null): void {
    this.store.setState({ widths: setWidth(this.#state.widths, column, px) });
  }

  /** Selects a row: the window stands still, so that the row stays under the eye. */
  select(offset: number): void {
    this.#setWindow(live.hold(this.#state.window, "row"));
    this.store.setState({ selectedOffset: offset });
    if (this.#state.isInspectorOpen) void inspectRecord(this.#bridge, this.store, offset);
  }

  /** Moves the selection by rows on screen; the first move selects the newest row. */
  moveSelection(by: number): void {
    const row = rowBeside(visibleRows(this.#state), this.#state.selectedOffset, by);
    if (row !== undefined) this.select(row.logOffset);
  }

  openInspector(): void {
    const { selectedOffset } = this.#state;
    if (selectedOffset === null) return;
    this.store.setState({ isInspectorOpen: true });
    void inspectRecord(this.#bridge, this.store, selectedOffset);
  }

  /** Closes what is on top: the inspector first, then the selection and, where only a row held it, the pause. */
  escape(): void {
    if (this.#state.isInspectorOpen) {
      this.store.setState({ isInspectorOpen: false, inspected: NOTHING_INSPECTED });
      return;
    }
    this.store.setState({ selectedOffset: null });
    if (this.#state.window.hold?.reason === "row") this.resume();
  }

  get #state(): LiveEditsState {
    return this.store.getState();
  }

  /** After a restart: stands where the last window was held, if this is the same lake and it still reaches that far. */
  #takeKeptPlace(checkpoint: number): void {
    const kept = this.#kept;
    this.#kept = null;
    if (kept === null || kept.lake !== this.#lake || checkpoint < kept.hold.atOffset) return;
    const { hold, topOffset, selectedOffset } = kept;
    this.store.setState({ window: { ...this.#state.window, hold }, topOffset, selectedOffset });
  }

  #remember(state: LiveEditsState, before: LiveEditsState): void {
    const { filter, widths, window, topOffset, selectedOffset } = state;
    if (filter !== before.filter) this.#memory.set(KEPT.filter, filter);
    if (widths !== before.widths) this.#memory.set(KEPT.widths, widths);
    // What was remembered is needed until the first status.
    if (this.#kept !== null) return;
    const { hold } = window;
    const isSame =
      hold === before.window.hold &&
      topOffset === before.topOffset &&
      selectedOffset === before.selectedOffset;
    if (isSame) return;
    const place: LivePlace | undefined =
      hold === null ? undefined : { lake: this.#lake, hold, topOffset, selectedOffset };
    this.#memory.set(KEPT.place, place);
  }

  #setWindow(window: live.LiveWindow): void {
    if (window !== this.#state.window) this.store.setState({ window });
  }

  #plan(): live.Fetch | null {
    const { window } = this.#state;
    const wanted = this.#wanted;
    this.#wanted = null;
    if (wanted === "older") return live.planOlder(window);
    if (wanted === "newer") return live.planNewer(window);
    return live.planPlace(window, this.#state.topOffset) ?? live.planFollow(window);
  }

  #pump(): void {
    if (this.#isFetching) return;
    const fetch = this.#plan();
    if (fetch !== null) void this.#fetch(fetch);
  }

  async #fetch(fetch: live.Fetch): Promise<void> {
    this.#isFetching = true;
    const lake = this.#lake;
    const { fromOffset, toOffset, limit } = fetch;
    const answer = await call(this.#bridge, "live.rows", { fromOffset, toOffset, limit });
    this.#isFetching = false;
    if (lake === this.#lake) {
      if (!answer.ok) {
        this.store.setState({ error: answer.error });
        return;
      }
      const { rows, checkpoint } = answer.value;
      const window = live.applyRows(this.#state.window, fetch, rows, checkpoint);
      const isProgress = window !== this.#state.window;
      this.store.setState({ window, error: null });
      // Without progress (a reader behind the announcement, or a pause) the next status tries again, not a tight loop.
      if (!isProgress && this.#wanted === null) return;
    }
    this.#pump();
  }
}
