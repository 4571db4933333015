/** Limits of the console's DuckDB, and of each export's (field case C20: its own, far below what the machine has). */
export type QueryLimits = {
  readonly memoryBytes: number;
  readonly tempBytes: number;
  readonly threads: number;
};

/** A laptop of 8 GB keeps working beside it; two threads leave cores for the stream. */
export const DEFAULT_QUERY_LIMITS: QueryLimits = {
  memoryBytes: 1024 * 1_048_576,
  tempBytes: 4096 * 1_048_576,
  threads: 2,
};
