import { createStore, type StoreApi } from "zustand/vanilla";
import type { Bridge } from "#main/contract/bridge.ts";
import type { AppStatus } from "#main/contract/app-status.ts";
import type { ResultPage } from "#pipeline/protocol/query-messages.ts";
import type { WireError } from "#storage/model/errors.ts";
import { call } from "#renderer/bridge/call.ts";
import {
  nextSort,
  readSort,
  readWidths,
  setWidth,
  type ColumnWidths,
  type GridColumn,
  type Sort,
} from "#renderer/components/row-grid/columns.ts";
import type { Scrolled } from "#renderer/components/row-grid/row-grid.tsx";
import type { WindowMemory } from "#renderer/stores/window-memory.ts";
import { inspectRecord, NOTHING_INSPECTED, rowBeside, type Inspected } from "#renderer/stores/inspection.ts";
import { filterByWords } from "./read-page.ts";

/** Rows a room holds at most; the newest ones, and the room says when there are more. */
export const ROOM_ROWS = 1_000;
/** Pause between two refreshes that nobody asked for. Reading is the query worker's time, which the console needs too. */
export const REFRESH_EVERY_MS = 5_000;

/** All that a room shows of the lake, from one snapshot. */
export type RoomAnswer<Row, Facts> = {
  readonly snapshotId: number;
  /** The running source's ledger as announced with this snapshot. */
  readonly ledger: Readonly<Record<string, number>>;
  readonly rows: readonly Row[];
  readonly facts: Facts;
};

export type RoomState<Row, Facts> = {
  /** Null until the first answer came; stays while the next one is read. */
  readonly answer: RoomAnswer<Row, Facts> | null;
  readonly isLoading: boolean;
  readonly error: WireError | null;
  readonly filter: string;
  /** A group of rows that alone is read; null = all. Only Dead letters has groups. */
  readonly group: string | null;
  readonly sort: Sort;
  readonly widths: ColumnWidths;
  /** Row at the upper edge; null = the first one. */
  readonly topOffset: number | null;
  readonly selectedOffset: number | null;
  readonly isInspectorOpen: boolean;
  readonly inspected: Inspected;
};

/** Runs one statement on the answer's snapshot; rejects with a {@link StatementFailed}. */
export type Ask = (text: string) => Promise<ResultPage>;

/** What a room wants to read. `nowMs` is the time of the status whose snapshot is read. */
export type RoomWish = {
  readonly source: string;
  readonly group: string | null;
  readonly sort: Sort;
  readonly nowMs: number;
};

/** What makes a room: its columns, its statements and what its filter looks at. */
export type RoomPlan<Row, Facts> = {
  readonly panel: string;
  readonly columns: readonly GridColumn[];
  readonly firstSort: Sort;
  readonly read: (ask: Ask, wish: RoomWish) => Promise<Pick<RoomAnswer<Row, Facts>, "rows" | "facts">>;
  readonly textOf: (row: Row) => string;
};

/** Part of a room's state that outlives the window and a change of the source. */
type Kept = {
  readonly filter: string;
  readonly sort: Sort;
  readonly widths: ColumnWidths;
  readonly topOffset: number | null;
};

/** What is kept under a room's name in the window's memory; what has not its shape is as in a fresh window. */
function readKept<Row, Facts>(value: unknown, plan: RoomPlan<Row, Facts>): Kept {
  const kept: Record<string, unknown> = typeof value === "object" && value !== null ? { ...value } : {};
  const { filter, topOffset } = { filter: kept["filter"], topOffset: kept["topOffset"] };
  return {
    filter: typeof filter === "string" ? filter : "",
    sort: readSort(kept["sort"], plan.columns) ?? plan.firstSort,
    widths: readWidths(kept["widths"]),
    topOffset: typeof topOffset === "number" ? topOffset : null,
  };
}

function keptOf({ filter, sort, widths, topOffset }: Kept): Kept {
  return { filter, sort, widths, topOffset };
}

class StatementFailed extends Error {
  readonly wire: WireError;
  constructor(wire: WireError) {
    super(wire.message);
    this.wire = wire;
  }
}

type Announced = Pick<RoomAnswer<unknown, unknown>, "snapshotId" | "ledger"> & {
  readonly checkpoint: number;
  readonly atMs: number;
};

/**
 * A room over rows that the lake keeps. One refresh is under way at most; all its statements read the snapshot that the
 * last status announced, so that they agree with each other and with that status's ledger.
 */
export class RecordRoom<Row extends { readonly logOffset: number }, Facts> {
  readonly store: StoreApi<RoomState<Row, Facts>>;
  readonly #bridge: Bridge;
  readonly #plan: RoomPlan<Row, Facts>;
  readonly #memory: WindowMemory;
  #isShown = false;
  #lake = "";
  #source = "";
  #announced: Announced | null = null;
  #read: { readonly checkpoint: number; readonly atMs: number } | null = null;
  #isWanted = false;
  #runs = 0;

  constructor(bridge: Bridge, plan: RoomPlan<Row, Facts>, memory: WindowMemory) {
    this.#bridge = bridge;
    this.#plan = plan;
    this.#memory = memory;
    const kept = readKept(memory.get(`${plan.panel}.view`), plan);
    this.store = createStore<RoomState<Row, Facts>>(() => this.#start(kept));
    this.store.subscribe((state) => this.#memory.set(`${plan.panel}.view`, keptOf(state)));
  }

  /** Columns of the list. */
  get columns(): readonly GridColumn[] {
    return this.#plan.columns;
  }

  /** The room is on screen; it reads at once. */
  open(): void {
    this.#isShown = true;
    this.refresh();
  }

  /** The room left the screen; it reads nothing until it is opened again. */
  close(): void {
    this.#isShown = false;
  }

  /** Takes the newest status: reads again where the checkpoint moved and the last reading is old enough. */
  takeStatus(status: AppStatus): void {
    const lake = `${status.dataFolder}\n${status.source}`;
    if (lake !== this.#lake) {
      // In another lake an offset is another record; in the first one of this window it may be the remembered one.
      const topOffset = this.#lake === "" ? this.#state.topOffset : null;
      this.#lake = lake;
      this.#source = status.source;
      this.#announced = null;
      this.#read = null;
      const kept = { ...keptOf(this.#state), topOffset };
      this.store.setState({ ...this.#start(kept), isLoading: this.#state.isLoading });
    }
    // While another source takes over, the worker that still speaks may be the old one's.
    if (status.pipeline === null || status.pipeline.source !== status.source) return;
    const { snapshotId, ledger, checkpoint } = status.pipeline;
    this.#announced = { snapshotId, ledger, checkpoint, atMs: status.atMs };
    if (!this.#isShown) return;
    const read = this.#read;
    const isDue =
      read === null || (checkpoint !== read.checkpoint && status.atMs - read.atMs >= REFRESH_EVERY_MS);
    if (isDue || this.#isWanted) this.refresh();
  }

  /** Reads again; what is asked for while a refresh is under way follows it. */
  refresh(): void {
    if (this.#state.isLoading || this.#announced === null) {
      this.#isWanted = true;
      return;
    }
    this.#isWanted = false;
    void this.#refresh(this.#announced);
  }

  setFilter(filter: string): void {
    this.store.setState({ filter });
  }

  /** Reads the rows in another order: the most of a thousand in it, not only those on screen. */
  sortBy(column: string): void {
    this.store.setState({ sort: nextSort(this.#state.sort, column), topOffset: null });
    this.refresh();
  }

  resize(column: GridColumn, px: number | null): void {
    this.store.setState({ widths: setWidth(this.#state.widths, column, px) });
  }

  scrolled({ isAtTop, topOffset }: Scrolled): void {
    this.store.setState({ topOffset: isAtTop ? null : topOffset });
  }

  /** Shows one group of rows, or all of them where it is shown already. */
  toggleGroup(group: string): void {
    this.store.setState({ group: group === this.#state.group ? null : group, selectedOffset: null });
    this.refresh();
  }

  select(offset: number): void {
    this.store.setState({ selectedOffset: offset });
    if (this.#state.isInspectorOpen) void inspectRecord(this.#bridge, this.store, offset);
  }

  /** Moves the selection by rows on screen; the first move selects the newest row. */
  moveSelection(by: number): void {
    const row = rowBeside(this.visibleRows(this.#state), this.#state.selectedOffset, by);
    if (row !== undefined) this.select(row.logOffset);
  }

  openInspector(): void {
    const { selectedOffset } = this.#state;
    if (selectedOffset === null) return;
    this.store.setState({ isInspectorOpen: true });
    void inspectRecord(this.#bridge, this.store, selectedOffset);
  }

  /** Closes the inspector, then the selection. */
  escape(): void {
    if (this.#state.isInspectorOpen) {
      this.store.setState({ isInspectorOpen: false, inspected: NOTHING_INSPECTED });
    } else this.store.setState({ selectedOffset: null });
  }

  /** The rows on screen: in the order that was asked for, filtered. */
  visibleRows(state: Pick<RoomState<Row, Facts>, "answer" | "filter">): readonly Row[] {
    return filterByWords(state.answer?.rows ?? [], state.filter, this.#plan.textOf);
  }

  get #state(): RoomState<Row, Facts> {
    return this.store.getState();
  }

  #start(kept: Kept): RoomState<Row, Facts> {
    const nothing = { answer: null, isLoading: false, error: null, group: null };
    return {
      ...nothing,
      ...kept,
      selectedOffset: null,
      isInspectorOpen: false,
      inspected: NOTHING_INSPECTED,
    };
  }

  async #refresh({ snapshotId, ledger, checkpoint, atMs }: Announced): Promise<void> {
    const lake = this.#lake;
    this.#read = { checkpoint, atMs };
    this.store.setState({ isLoading: true });
    try {
      const ask: Ask = (text) => this.#ask(text, snapshotId);
      const { group, sort } = this.#state;
      const read = await this.#plan.read(ask, { source: this.#source, group, sort, nowMs: atMs });
      if (lake === this.#lake) this.store.setState({ answer: { snapshotId, ledger, ...read }, error: null });
    } catch (error) {
      if (!(error instanceof StatementFailed)) throw error;
      if (lake === this.#lake) this.store.setState({ error: error.wire });
    } finally {
      this.store.setState({ isLoading: false });
    }
    if (this.#isWanted) this.refresh();
  }

  async #ask(text: string, asOf: number): Promise<ResultPage> {
    this.#runs += 1;
    const runId = `${this.#plan.panel}-${this.#runs}`;
    const answer = await call(this.#bridge, "sql.run", { runId, text, asOf, limit: ROOM_ROWS });
    if (!answer.ok) throw new StatementFailed(answer.error);
    return answer.value.page;
  }
}
