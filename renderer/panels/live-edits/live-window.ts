import type { LiveRow } from "#pipeline/protocol/query-messages.ts";

/**
 * Live edits is a window over offsets. A status announces a checkpoint, the rows up to it are fetched by offset range,
 * and the window always covers one unbroken stretch of offsets; so a pause cannot make a gap, only a longer stretch to
 * fetch, and whatever the window does not keep can be fetched again by scrolling.
 *
 *     following ──hold (Space, a row, scrolling down)──▶ held ──release──▶ following
 *       follow: coveredTo → checkpoint                     older: below coveredFrom    newer: up to the held offset
 *
 * following  new rows are taken as they are committed; the oldest leave when more than WINDOW_ROWS are kept.
 * held       nothing moves; the rows that wait are counted. Scrolling fetches older ones and drops the newest.
 */
export type LiveWindow = {
  /** In offset order. Every row of the lake with coveredFrom ≤ offset ≤ coveredTo, nothing else. */
  readonly rows: readonly LiveRow[];
  readonly coveredFrom: number;
  /** 0 while nothing was fetched. */
  readonly coveredTo: number;
  /** The newest announced. */
  readonly announced: Announcement;
  /** Rows of the lake up to coveredTo, where that is known exactly. */
  readonly rowsToCovered: number | null;
  readonly hold: Hold | null;
  /** The last stretch that was passed over because more waited than the window keeps; null when there was none. */
  readonly passedOver: PassedOver | null;
};

/** A checkpoint and how many rows the lake has up to it (ledger: silver); null where the ledger does not say. */
export type Announcement = { readonly checkpoint: number; readonly rows: number | null };

/** Why and where the window stands still. */
export type Hold = {
  readonly reason: "user" | "row" | "scroll";
  readonly atOffset: number;
  readonly rowsToOffset: number | null;
};

/** Offsets fromOffset…toOffset were not fetched when the window moved on; scrolling down fetches them. */
export type PassedOver = {
  readonly fromOffset: number;
  readonly toOffset: number;
  readonly afterHold: boolean;
};

/** A range of offsets to fetch. `limit` is never smaller than the range, so an answer is never cut. */
export type Fetch = {
  readonly kind: "follow" | "jump" | "older" | "newer" | "place";
  readonly fromOffset: number;
  readonly toOffset: number;
  readonly limit: number;
  /** Rows of the lake up to toOffset, where that is known. */
  readonly rowsToOffset: number | null;
};

/** Rows kept at most: about 4 MB. At the limit the far end leaves; it can be fetched again. */
export const WINDOW_ROWS = 5_000;
/** Offsets fetched at once: 1,000 rows are about 0.6 MB, a few milliseconds of main and renderer. */
export const PAGE_OFFSETS = 1_000;

export const EMPTY_WINDOW: LiveWindow = {
  rows: [],
  coveredFrom: 1,
  coveredTo: 0,
  announced: { checkpoint: 0, rows: null },
  rowsToCovered: null,
  hold: null,
  passedOver: null,
};

/** Takes a new announcement. A checkpoint behind what is covered means another lake: the window starts anew. */
export function announce(window: LiveWindow, announced: Announcement): LiveWindow {
  if (announced.checkpoint < window.coveredTo) return { ...EMPTY_WINDOW, announced };
  return { ...window, announced };
}

/** Stands still. A stronger reason (the user's own) replaces a weaker one; the place stays. */
export function hold(window: LiveWindow, reason: Hold["reason"]): LiveWindow {
  if (window.hold !== null) {
    return reason === "user" ? { ...window, hold: { ...window.hold, reason } } : window;
  }
  const { coveredTo: atOffset, rowsToCovered: rowsToOffset } = window;
  return { ...window, hold: { reason, atOffset, rowsToOffset }, passedOver: null };
}

/** Moves on; what waited is fetched next. */
export function release(window: LiveWindow): LiveWindow {
  return { ...window, hold: null, passedOver: passedByRelease(window) };
}

function passedByRelease(window: LiveWindow): PassedOver | null {
  const { checkpoint } = window.announced;
  if (window.hold === null || !isTooFar(window)) return null;
  const fromOffset = window.hold.atOffset + 1;
  return { fromOffset, toOffset: jumpStart(checkpoint) - 1, afterHold: true };
}

/** How many rows wait behind a held window; `exact` is false where only offsets, some of them no rows, can be counted. */
export function waitingRows(window: LiveWindow): { readonly count: number; readonly exact: boolean } {
  const { hold: held, announced } = window;
  if (held === null) return { count: 0, exact: true };
  if (announced.rows !== null && held.rowsToOffset !== null) {
    return { count: Math.max(0, announced.rows - held.rowsToOffset), exact: true };
  }
  return { count: Math.max(0, announced.checkpoint - held.atOffset), exact: false };
}

function isTooFar(window: LiveWindow): boolean {
  return window.announced.checkpoint - window.coveredTo > WINDOW_ROWS;
}

function jumpStart(checkpoint: number): number {
  return Math.max(1, checkpoint - PAGE_OFFSETS + 1);
}

/** What a following window fetches next; null when held or up to date. */
export function planFollow(window: LiveWindow): Fetch | null {
  const { checkpoint, rows } = window.announced;
  if (window.hold !== null || checkpoint <= window.coveredTo) return null;
  const jumps = window.coveredTo === 0 || isTooFar(window);
  const fromOffset = jumps ? jumpStart(checkpoint) : window.coveredTo + 1;
  const toOffset = Math.min(checkpoint, fromOffset + PAGE_OFFSETS - 1);
  const rowsToOffset = toOffset === checkpoint ? rows : null;
  return { kind: jumps ? "jump" : "follow", fromOffset, toOffset, limit: PAGE_OFFSETS, rowsToOffset };
}

/** A held window of which nothing is fetched yet, as after a restart: the page around `topOffset` (null = the held offset). */
export function planPlace(window: LiveWindow, topOffset: number | null): Fetch | null {
  const { hold: held } = window;
  if (held === null || window.coveredTo !== 0 || held.atOffset === 0) return null;
  const toOffset = Math.min(held.atOffset, (topOffset ?? held.atOffset) + PAGE_OFFSETS / 2);
  const fromOffset = Math.max(1, toOffset - PAGE_OFFSETS + 1);
  const rowsToOffset = toOffset === held.atOffset ? held.rowsToOffset : null;
  return { kind: "place", fromOffset, toOffset, limit: PAGE_OFFSETS, rowsToOffset };
}

/** The page below the window; null at the beginning of the log or while nothing was fetched. */
export function planOlder(window: LiveWindow): Fetch | null {
  if (window.coveredTo === 0 || window.coveredFrom <= 1) return null;
  const toOffset = window.coveredFrom - 1;
  const fromOffset = Math.max(1, toOffset - PAGE_OFFSETS + 1);
  return { kind: "older", fromOffset, toOffset, limit: PAGE_OFFSETS, rowsToOffset: null };
}

/** The page above a held window from which scrolling back dropped the newest rows; null when it reaches the held offset. */
export function planNewer(window: LiveWindow): Fetch | null {
  if (window.hold === null || window.coveredTo >= window.hold.atOffset) return null;
  const fromOffset = window.coveredTo + 1;
  const toOffset = Math.min(window.hold.atOffset, fromOffset + PAGE_OFFSETS - 1);
  const rowsToOffset = toOffset === window.hold.atOffset ? window.hold.rowsToOffset : null;
  return { kind: "newer", fromOffset, toOffset, limit: PAGE_OFFSETS, rowsToOffset };
}

/**
 * Takes the rows of a fetch. An answer that no longer fits (the window was held, reset or moved while it was under way)
 * changes nothing; its offsets are fetched again when they are due.
 */
export function applyRows(
  window: LiveWindow,
  fetch: Fetch,
  rows: readonly LiveRow[],
  checkpoint: number,
): LiveWindow {
  if (fetch.kind === "older") return applyOlder(window, fetch, rows);
  // A reader's snapshot can be older than the announcement; what it does not have yet is fetched next time.
  const toOffset = Math.min(fetch.toOffset, checkpoint);
  if (toOffset < fetch.fromOffset) return window;
  const rowsToCovered = toOffset === fetch.toOffset ? fetch.rowsToOffset : null;
  if (fetch.kind === "jump") return applyJump(window, fetch, rows, { toOffset, rowsToCovered });
  if (fetch.kind === "place") {
    if (window.hold === null || window.coveredTo !== 0) return window;
    return { ...window, rows, coveredFrom: fetch.fromOffset, coveredTo: toOffset, rowsToCovered };
  }
  if (fetch.fromOffset !== window.coveredTo + 1) return window;
  if (fetch.kind === "follow" && window.hold !== null) return window;
  return trimOldest({ ...window, rows: [...window.rows, ...rows], coveredTo: toOffset, rowsToCovered });
}

function applyJump(
  window: LiveWindow,
  fetch: Fetch,
  rows: readonly LiveRow[],
  covered: { readonly toOffset: number; readonly rowsToCovered: number | null },
): LiveWindow {
  if (window.hold !== null) return window;
  const gap = { fromOffset: window.coveredTo + 1, toOffset: fetch.fromOffset - 1, afterHold: false };
  const passedOver = window.passedOver ?? (window.coveredTo === 0 ? null : gap);
  return {
    ...window,
    rows,
    coveredFrom: fetch.fromOffset,
    coveredTo: covered.toOffset,
    rowsToCovered: covered.rowsToCovered,
    passedOver: passedOver === null ? null : { ...passedOver, toOffset: fetch.fromOffset - 1 },
  };
}

function applyOlder(window: LiveWindow, fetch: Fetch, rows: readonly LiveRow[]): LiveWindow {
  if (fetch.toOffset !== window.coveredFrom - 1) return window;
  return trimNewest({ ...window, rows: [...rows, ...window.rows], coveredFrom: fetch.fromOffset });
}

function trimOldest(window: LiveWindow): LiveWindow {
  const rows = window.rows.slice(-WINDOW_ROWS);
  const first = rows[0];
  if (rows.length === window.rows.length || first === undefined) return window;
  return { ...window, rows, coveredFrom: first.logOffset };
}

function trimNewest(window: LiveWindow): LiveWindow {
  const rows = window.rows.slice(0, WINDOW_ROWS);
  const last = rows.at(-1);
  if (rows.length === window.rows.length || last === undefined) return window;
  return { ...window, rows, coveredTo: last.logOffset, rowsToCovered: null };
}
