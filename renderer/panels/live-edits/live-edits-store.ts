import { createStore, type StoreApi } from "zustand/vanilla";
import type { Bridge } from "#main/contract/bridge.ts";
import type { AppStatus } from "#main/contract/app-status.ts";
import type { LiveRow } from "#pipeline/protocol/query-messages.ts";
import type { WireError } from "#storage/model/errors.ts";
import { call } from "#renderer/bridge/call.ts";
import { inspectRecord, NOTHING_INSPECTED, rowBeside, type Inspected } from "#renderer/stores/inspection.ts";
import { filterRows } from "./filter-rows.ts";
import * as live from "./live-window.ts";

/** State of the panel; nothing here is a copy of main's state but the window of rows itself. */
export type LiveEditsState = {
  readonly window: live.LiveWindow;
  readonly filter: string;
  readonly selectedOffset: number | null;
  readonly isInspectorOpen: boolean;
  readonly inspected: Inspected;
  /** The last fetch failed; it is tried again with the next status. */
  readonly error: WireError | null;
};

const START: LiveEditsState = {
  window: live.EMPTY_WINDOW,
  filter: "",
  selectedOffset: null,
  isInspectorOpen: false,
  inspected: NOTHING_INSPECTED,
  error: null,
};

/** Newest first, filtered: the order on screen. */
export function visibleRows(state: Pick<LiveEditsState, "window" | "filter">): readonly LiveRow[] {
  return filterRows(state.window.rows, state.filter).toReversed();
}

/**
 * Drives the window over offsets: one fetch is under way at most, everything else waits for its answer. New statuses
 * announce, `planFollow` decides. Answers of another source, or of a folder that was left, are dropped.
 */
export class LiveEdits {
  readonly store: StoreApi<LiveEditsState> = createStore<LiveEditsState>(() => START);
  readonly #bridge: Bridge;
  /** Names the lake that the rows are from. */
  #lake = "";
  #isFetching = false;
  #wanted: "older" | "newer" | null = null;

  constructor(bridge: Bridge) {
    this.#bridge = bridge;
  }

  /** Takes the newest status. */
  takeStatus(status: AppStatus): void {
    const lake = `${status.dataFolder}\n${status.source}`;
    if (lake !== this.#lake) {
      this.#lake = lake;
      this.store.setState({ ...START, filter: this.#state.filter });
    }
    if (status.pipeline === null) return;
    const { checkpoint, ledger } = status.pipeline;
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

  /** The reader left the newest row, or came back to it. */
  scrolled(isAtTop: boolean): void {
    const { window } = this.#state;
    if (!isAtTop) this.#setWindow(live.hold(window, "scroll"));
    else if (live.planNewer(window) !== null) this.fetchNewer();
    else if (window.hold?.reason === "scroll") this.resume();
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

  setFilter(filter: string): void {
    this.store.setState({ filter });
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

  #setWindow(window: live.LiveWindow): void {
    if (window !== this.#state.window) this.store.setState({ window });
  }

  #plan(): live.Fetch | null {
    const { window } = this.#state;
    const wanted = this.#wanted;
    this.#wanted = null;
    if (wanted === "older") return live.planOlder(window);
    if (wanted === "newer") return live.planNewer(window);
    return live.planFollow(window);
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
