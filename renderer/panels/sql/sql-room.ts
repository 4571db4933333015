import { createStore, type StoreApi } from "zustand/vanilla";
import type { Bridge } from "#main/contract/bridge.ts";
import type { CommandResults } from "#main/contract/commands.ts";
import type { WireError } from "#storage/model/errors.ts";
import { call } from "#renderer/bridge/call.ts";

/** A result and the statement that it belongs to. */
export type SqlResult = CommandResults["sql.run"] & { readonly text: string };

/** A file that was written. */
export type Saved = NonNullable<CommandResults["export.save"]>;

/** Format of an export. */
export type ExportFormat = "parquet" | "csv" | "ndjson";

/** A kept snapshot, for the picker. */
export type PickableSnapshot = CommandResults["lake.snapshots"]["snapshots"][number];

/** What the SQL room holds; the draft and the last result outlive a change of tabs. */
export type SqlState = {
  readonly text: string;
  /** Snapshot to read at; null = the newest. */
  readonly asOf: number | null;
  readonly snapshots: readonly PickableSnapshot[];
  /** What is under way; the result before stays, dimmed. */
  readonly running: {
    readonly runId: string;
    readonly what: "query" | "export";
    readonly sinceMs: number;
  } | null;
  readonly result: SqlResult | null;
  readonly error: WireError | null;
  readonly saved: Saved | null;
  /** Statements of this window, newest first, as they were typed. */
  readonly history: readonly string[];
};

/** Rows that come to the window; the total is counted, and more is exported or asked for by LIMIT. */
export const MAX_ROWS = 1_000;
/** Statements kept in the history. */
export const MAX_HISTORY = 50;
/** Snapshots in the picker, newest first. */
const MAX_SNAPSHOTS = 200;

const FIRST_TEXT = `-- The most edited pages of the newest five minutes. Ctrl+Enter runs it.
SELECT wiki, title, count(*) AS edits
FROM silver.changes
WHERE type IN ('edit', 'new')
  AND event_time > (SELECT max(event_time) FROM silver.changes) - INTERVAL 5 MINUTE
GROUP BY ALL
ORDER BY edits DESC, wiki, title
LIMIT 50`;

/** The SQL room of one window: one statement or export at a time. */
export class SqlRoom {
  readonly store: StoreApi<SqlState>;
  readonly #bridge: Bridge;
  #runs = 0;

  constructor(bridge: Bridge) {
    this.#bridge = bridge;
    this.store = createStore<SqlState>(() => ({
      text: FIRST_TEXT,
      asOf: null,
      snapshots: [],
      running: null,
      result: null,
      error: null,
      saved: null,
      history: [],
    }));
  }

  setText(text: string): void {
    this.store.setState({ text });
  }

  setAsOf(asOf: number | null): void {
    this.store.setState({ asOf });
  }

  /** Reads which snapshots can be picked. */
  async loadSnapshots(): Promise<void> {
    const answer = await call(this.#bridge, "lake.snapshots", { limit: MAX_SNAPSHOTS });
    // Without a lake there is nothing to pick; the statement itself will say so.
    if (answer.ok) this.store.setState({ snapshots: answer.value.snapshots });
  }

  /** Runs what stands in the editor; nothing while another run is under way. */
  async run(nowMs: number = Date.now()): Promise<void> {
    const { text, asOf, running, history } = this.store.getState();
    if (running !== null || text.trim() === "") return;
    const runId = this.#begin("query", nowMs);
    this.store.setState({ history: [text, ...history.filter((old) => old !== text)].slice(0, MAX_HISTORY) });
    const answer = await call(this.#bridge, "sql.run", { runId, text, asOf, limit: MAX_ROWS });
    this.store.setState(
      answer.ok
        ? { running: null, result: { ...answer.value, text } }
        : { running: null, error: answer.error },
    );
  }

  /** Ends what is under way; the answer to it comes as an error of its own. */
  cancel(): void {
    const { running } = this.store.getState();
    if (running !== null) void call(this.#bridge, "run.cancel", { runId: running.runId });
  }

  /** Writes the whole result of the statement, of the snapshot that is shown, to a file that the user chooses. */
  async save(format: ExportFormat, nowMs: number = Date.now()): Promise<void> {
    const { result, running } = this.store.getState();
    if (result === null || running !== null) return;
    const runId = this.#begin("export", nowMs);
    const what = { sql: result.text };
    const answer = await call(this.#bridge, "export.save", { runId, what, asOf: result.snapshotId, format });
    this.store.setState(
      answer.ok ? { running: null, saved: answer.value } : { running: null, error: answer.error },
    );
  }

  /** Shows the saved file in its folder. */
  async show(): Promise<void> {
    const { saved } = this.store.getState();
    if (saved === null) return;
    const answer = await call(this.#bridge, "export.show", { path: saved.path });
    if (!answer.ok) this.store.setState({ error: answer.error });
  }

  #begin(what: "query" | "export", nowMs: number): string {
    this.#runs += 1;
    const runId = `sql-${this.#runs}`;
    this.store.setState({ running: { runId, what, sinceMs: nowMs }, error: null, saved: null });
    return runId;
  }
}
