import type { CatalogSession } from "../catalog/catalog-session.ts";
import { sealableRows } from "../catalog/counters.ts";
import { toLakeError } from "../catalog/sqlite-errors.ts";
import { verifyDataFile, type FileRows } from "../commit/file-rows.ts";
import { areLive, discardParts, writeParts, type SealedPart } from "./seal-parts.ts";

/** Below this many rows a seal is over before anybody notices (under 100 ms). */
const MIN_EARLY_ROWS = 2_000;

/** A large seal's final rows on their way into files, while commits go on. */
export type EarlySeal = {
  /** True when waiting for {@link EarlySeal.parts} takes no time. */
  readonly isDone: () => boolean;
  /** The files that still hold live rows only; none where an amend came between. Rejects as the writing did. */
  readonly parts: () => Promise<readonly SealedPart[]>;
};

/** True where writing ahead pays. */
export function isWorthAnEarlySeal(session: CatalogSession): boolean {
  return sealableRows(session.counters.tables.values()) >= MIN_EARLY_ROWS;
}

/**
 * Begins to write the final hot rows into files, in turns with commits: a live final row never changes, so the seal itself
 * then has only what came since to write, and commits wait for that alone. `fileRows` must be this seal's own; it stays open
 * (opening takes longer than the rest of a small seal) for {@link sealLake} to go on with and to close.
 */
export function startEarlySeal(session: CatalogSession, fileRows: FileRows): EarlySeal {
  let isDone = false;
  // The outcome is kept as a value: it may be looked at long after a failure.
  const outcome = write(session, fileRows).then(
    (parts) => ({ parts }),
    (error: unknown) => ({ error }),
  );
  void outcome.then(() => {
    isDone = true;
  });
  return {
    isDone: () => isDone,
    parts: async () => {
      const result = await outcome;
      if ("error" in result) throw toLakeError(result.error, "sealing");
      if (areLive(result.parts)) return result.parts;
      await discardParts(result.parts);
      return [];
    },
  };
}

async function write(session: CatalogSession, fileRows: FileRows): Promise<readonly SealedPart[]> {
  const parts: SealedPart[] = [];
  try {
    for (const table of session.tables) {
      const hot = session.hot(table.def);
      await writeParts(session, hot, "final", hot.liveRowNumbers("final"), parts);
    }
    for (const part of parts) await verifyDataFile(fileRows, part.file);
    return parts;
  } catch (error) {
    await discardParts(parts);
    await fileRows.close();
    throw error;
  }
}
