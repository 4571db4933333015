import type { TableDef } from "#storage/model/table.ts";

/** State of a gold row: open windows may still change, settled ones only by amend. */
export type WindowState = "open" | "settled" | "amended";

/** What a gold table may see of one silver row; derivable from silver and control alone (invariant I5). */
export type GoldInput = {
  readonly logOffset: number;
  readonly eventTimeUs: number;
  /** Watermark at the row's own offset, microseconds; null when there was none. */
  readonly watermarkUs: number | null;
  /** Newest event time of bronze before the row's offset − event time, at least 0, rounded up to milliseconds. */
  readonly latenessMs: number;
  readonly type: string;
  readonly wiki: string;
  readonly title: string | null;
  readonly user: string | null;
  readonly bot: boolean;
  readonly bytesChanged: number | null;
  /** True for redrive and repair records: settled windows are amended with them instead of excluding them. */
  readonly amends: boolean;
};

/** Values of one gold row behind source, window_start, window_length_ms and state. */
export type GoldRow = readonly (string | number | null)[];

/** One window of one gold table. Rows must be folded in offset order. */
export type GoldWindow = {
  readonly fold: (input: GoldInput) => void;
  /** Rows changed since the last call, or all; either call forgets what was changed. Fixed order within a call. */
  readonly rows: (which: "changed" | "all") => readonly GoldRow[];
};

/** A gold table: its definition, where a row belongs, and its fold (pipeline/gold/tables/<name>.ts). */
export type GoldTable = {
  readonly table: TableDef;
  /** Which of `ResultSettings.windows` gives the window length. */
  readonly window: "editsPerMinuteMs" | "topPagesMs" | "userBytesMs" | "latenessHistogramMs";
  /** The time that places a row into a window, microseconds. Null: not for this table. */
  readonly timeOf: (input: GoldInput) => number | null;
  readonly openWindow: () => GoldWindow;
};

/** Lengths of the windows by table, as a settings record gives them. */
export type WindowLengths = Readonly<Record<GoldTable["window"], number>>;
