import { createStore, type StoreApi } from "zustand/vanilla";
import type { AppStatus } from "#main/contract/app-status.ts";
import type { Bridge } from "#main/contract/bridge.ts";
import type { CommandResults } from "#main/contract/commands.ts";
import type { WireError } from "#storage/model/errors.ts";
import { call } from "#renderer/bridge/call.ts";
import type { WindowMemory } from "#renderer/stores/window-memory.ts";
import { inTreeOrder } from "./tree-order.ts";

/** A table with its size at the snapshot that is shown. */
export type ListedTable = CommandResults["lake.tables"]["tables"][number];
/** A kept snapshot. */
export type KeptSnapshot = CommandResults["lake.snapshots"]["snapshots"][number];

/** Parts of a table's page. */
export const SECTIONS = ["columns", "preview", "snapshots"] as const;
/** One part of a table's page. */
export type Section = (typeof SECTIONS)[number];

/** Rows of a table as a result, and what they are rows of. */
export type Preview = CommandResults["sql.run"] & { readonly table: string };

/** What the room shows. Everything is of `snapshotId`. */
export type TablesState = {
  readonly tables: readonly ListedTable[];
  readonly snapshotId: number | null;
  /** The snapshot that was picked; null = follow the newest. */
  readonly asOf: number | null;
  readonly chosen: string | null;
  readonly section: Section;
  readonly preview: Preview | null;
  readonly snapshots: readonly KeptSnapshot[];
  readonly isLoading: boolean;
  readonly error: WireError | null;
};

/** Rows of a preview: more than a screen shows, few enough to come at once. */
export const PREVIEW_ROWS = 200;
/** Text of a cell in a preview, UTF-16 units; the whole of a longer one is fetched when it is looked at. */
const PREVIEW_CELL_CHARS = 1_000;
const MAX_SNAPSHOTS = 500;
/** The newest snapshot is looked at again when the last look is this old. */
const REFRESH_EVERY_MS = 5_000;
const MEMORY_NAME = "tables";

/** `schema.name`, as statements name a table. */
export function tableName({ schema, name }: Pick<ListedTable, "schema" | "name">): string {
  return `${schema}.${name}`;
}

/** The tables of the lake, one of them open, at the newest or a picked snapshot. Reads only while it is on screen. */
export class TablesRoom {
  readonly store: StoreApi<TablesState>;
  readonly #bridge: Bridge;
  #folder = "";
  #newest: number | null = null;
  #isShown = false;
  #isWanted = false;
  #readAtMs = 0;
  #atMs = 0;
  #runs = 0;

  constructor(bridge: Bridge, memory: WindowMemory) {
    this.#bridge = bridge;
    this.store = createStore<TablesState>(() => ({ ...EMPTY, ...remembered(memory.get(MEMORY_NAME)) }));
    this.store.subscribe(({ chosen, section }) => memory.set(MEMORY_NAME, { chosen, section }));
  }

  /** The room is on screen; it reads at once. */
  open(): void {
    this.#isShown = true;
    this.refresh();
  }

  close(): void {
    this.#isShown = false;
  }

  /** Another folder begins anew; a newer snapshot is read when the last reading is old enough. */
  takeStatus(status: AppStatus): void {
    this.#atMs = status.atMs;
    if (status.dataFolder !== this.#folder) {
      this.#folder = status.dataFolder;
      this.#newest = null;
      const { chosen, section } = this.store.getState();
      this.store.setState({ ...EMPTY, chosen, section });
    }
    const newest = status.pipeline?.snapshotId ?? null;
    const isNew = newest !== null && newest !== this.#newest;
    this.#newest = newest;
    if (!this.#isShown || this.store.getState().asOf !== null || !isNew) return;
    if (status.atMs - this.#readAtMs >= REFRESH_EVERY_MS) this.refresh();
  }

  /** Reads the tables, and what is open of the chosen one. What is asked for meanwhile follows. */
  refresh(): void {
    if (this.store.getState().isLoading) {
      this.#isWanted = true;
      return;
    }
    void this.#refresh();
  }

  choose(chosen: string): void {
    this.store.setState({ chosen });
    this.refresh();
  }

  /** Chooses the table `by` places further in the list. */
  step(by: number): void {
    const { tables, chosen } = this.store.getState();
    const at = tables.findIndex((table) => tableName(table) === chosen);
    const next = tables[Math.min(tables.length - 1, Math.max(0, at + by))];
    if (next !== undefined) this.choose(tableName(next));
  }

  showSection(section: Section): void {
    this.store.setState({ section });
    this.refresh();
  }

  /** Reads everything as of a snapshot; null = follow the newest again. */
  readAsOf(asOf: number | null): void {
    this.store.setState({ asOf });
    this.refresh();
  }

  async #refresh(): Promise<void> {
    this.#isWanted = false;
    this.#readAtMs = this.#atMs;
    const folder = this.#folder;
    this.store.setState({ isLoading: true });
    const change = await this.#read();
    // What was asked of a folder that was left says nothing of this one.
    this.store.setState(folder === this.#folder ? { isLoading: false, ...change } : { isLoading: false });
    if (this.#isWanted || folder !== this.#folder) this.refresh();
  }

  async #read(): Promise<Partial<TablesState>> {
    const { asOf, section } = this.store.getState();
    const listed = await call(this.#bridge, "lake.tables", { asOf });
    if (!listed.ok) return { error: listed.error };
    const { snapshotId } = listed.value;
    const tables = inTreeOrder(listed.value.tables);
    const { chosen } = this.store.getState();
    const open = tables.find((table) => tableName(table) === chosen) ?? tables[0];
    const known: Partial<TablesState> = {
      tables,
      snapshotId,
      chosen: open === undefined ? chosen : tableName(open),
      error: null,
    };
    if (section === "snapshots") return { ...known, ...(await this.#readSnapshots()) };
    if (section === "preview" && open !== undefined)
      return { ...known, ...(await this.#readPreview(tableName(open), open.kind, snapshotId)) };
    return known;
  }

  async #readSnapshots(): Promise<Partial<TablesState>> {
    const answer = await call(this.#bridge, "lake.snapshots", { limit: MAX_SNAPSHOTS });
    return answer.ok ? { snapshots: answer.value.snapshots } : { error: answer.error };
  }

  async #readPreview(
    table: string,
    kind: ListedTable["kind"],
    snapshotId: number,
  ): Promise<Partial<TablesState>> {
    this.#runs += 1;
    const order = kind === "append" ? "log_offset" : "window_start";
    const answer = await call(this.#bridge, "sql.run", {
      runId: `tables-${this.#runs}`,
      text: `SELECT * FROM ${table} ORDER BY ${order} DESC LIMIT ${PREVIEW_ROWS}`,
      asOf: snapshotId,
      limit: PREVIEW_ROWS,
      cellChars: PREVIEW_CELL_CHARS,
    });
    return answer.ok ? { preview: { ...answer.value, table } } : { error: answer.error };
  }
}

const EMPTY: TablesState = {
  tables: [],
  snapshotId: null,
  asOf: null,
  chosen: null,
  section: "columns",
  preview: null,
  snapshots: [],
  isLoading: false,
  error: null,
};

function remembered(saved: unknown): Pick<TablesState, "chosen" | "section"> {
  const { chosen, section }: Record<string, unknown> =
    typeof saved === "object" && saved !== null ? { ...saved } : {};
  return {
    chosen: typeof chosen === "string" ? chosen : null,
    section: SECTIONS.find((known) => known === section) ?? "columns",
  };
}
