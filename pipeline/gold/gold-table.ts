import type { TableDef } from "#storage/model/table.ts";

/** State of a gold row: open windows may still change, settled ones only by amend. */
export type WindowState = "open" | "settled" | "amended";

/** What a gold table may see of one silver row; derivable from silver and control alone (invariant I5). */
export type GoldInput = {
  readonly logOffset: number;
  readonly eventTimeUs: number;
  /** Watermark at the row's own offset, microseconds; null when there was none. */
  readonly watermarkUs: number | null;
  /** Largest event time of bronze before this row's offset, microseconds; null before the first. */
  readonly maxEventTimeUs: number | null;
  readonly type: string;
  readonly wiki: string;
  readonly title: string | null;
  readonly user: string | null;
  readonly bot: boolean;
  readonly bytesChanged: number | null;
  /** True for redrive and repair records: settled windows are amended with them instead of excluding them. */
  readonly amends: boolean;
};

/** A gold table's definition plus its fold (pipeline/gold/tables/<name>.ts). `S` is the state of one window. */
export type GoldTable<S> = {
  readonly table: TableDef;
  /** Which of `ResultSettings.windows` gives the window length. */
  readonly window: "editsPerMinuteMs" | "topPagesMs" | "userBytesMs" | "latenessHistogramMs";
  /** The time that places a row into a window; event time except for the lateness histogram. Null: not for this table. */
  readonly timeOf: (input: GoldInput) => number | null;
  readonly createWindow: () => S;
  /** Folds one row into the window's state (mutates it). Rows come in offset order. */
  readonly fold: (state: S, input: GoldInput) => void;
  /** The window's rows, in a fixed order; columns as in `table` behind source, window_start, window_length_ms, state. */
  readonly rows: (state: S) => readonly (readonly (string | number | boolean | null)[])[];
};
