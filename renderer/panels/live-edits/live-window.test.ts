import { describe, expect, test } from "vitest";
import { exampleRowCount, exampleRows } from "./live-row.test-support.ts";
import {
  announce,
  applyRows,
  EMPTY_WINDOW,
  hold,
  planFollow,
  planNewer,
  planOlder,
  release,
  waitingRows,
  WINDOW_ROWS,
  type Fetch,
  type LiveWindow,
} from "./live-window.ts";

function answer(
  window: LiveWindow,
  fetch: Fetch | null,
  checkpoint = window.announced.checkpoint,
): LiveWindow {
  if (fetch === null) throw new Error("nothing was planned");
  expect(fetch.toOffset - fetch.fromOffset + 1).toBeLessThanOrEqual(fetch.limit);
  const to = Math.min(fetch.toOffset, checkpoint);
  return applyRows(window, fetch, exampleRows(fetch.fromOffset, to), checkpoint);
}

function announceTo(window: LiveWindow, checkpoint: number): LiveWindow {
  return announce(window, { checkpoint, rows: exampleRowCount(checkpoint) });
}

/** Follows until nothing more is to be fetched. */
function follow(window: LiveWindow): LiveWindow {
  let current = window;
  for (let fetch = planFollow(current); fetch !== null; fetch = planFollow(current)) {
    current = answer(current, fetch);
  }
  return current;
}

function offsets(window: LiveWindow): number[] {
  return window.rows.map((row) => row.logOffset);
}

function expectUnbroken(window: LiveWindow): void {
  expect(offsets(window)).toEqual(
    exampleRows(window.coveredFrom, window.coveredTo).map((row) => row.logOffset),
  );
  expect(window.rows.length).toBeLessThanOrEqual(WINDOW_ROWS);
}

describe("live window", () => {
  test("starts with the newest page and then takes every row as it is committed", () => {
    let window = follow(announceTo(EMPTY_WINDOW, 2_500));
    expect([window.coveredFrom, window.coveredTo]).toEqual([1_501, 2_500]);
    for (const checkpoint of [2_501, 2_540, 3_900]) window = follow(announceTo(window, checkpoint));
    expect(window.coveredTo).toBe(3_900);
    expect(window.passedOver).toBeNull();
    expectUnbroken(window);
  });

  test("keeps at most WINDOW_ROWS rows, and what left can be fetched again by scrolling down", () => {
    let window = follow(announceTo(EMPTY_WINDOW, 1_000));
    for (let at = 2_000; at <= 9_000; at += 1_000) window = follow(announceTo(window, at));
    expectUnbroken(window);
    expect(window.rows).toHaveLength(WINDOW_ROWS);
    window = answer(hold(window, "scroll"), planOlder(window));
    expectUnbroken(window);
    expect(window.rows).toHaveLength(WINDOW_ROWS);
    expect(window.coveredTo).toBeLessThan(9_000);
    for (let fetch = planNewer(window); fetch !== null; fetch = planNewer(window)) {
      window = answer(window, fetch);
    }
    expect(window.coveredTo).toBe(9_000);
    expectUnbroken(window);
  });

  test("counts exactly the rows that wait while paused, not offsets that became no row", () => {
    const window = announceTo(hold(follow(announceTo(EMPTY_WINDOW, 100)), "user"), 250);
    expect(waitingRows(window)).toEqual({ count: exampleRowCount(250) - exampleRowCount(100), exact: true });
  });

  test("says that the count is not exact where the ledger does not tell", () => {
    const paused = hold(follow(announce(EMPTY_WINDOW, { checkpoint: 100, rows: null })), "user");
    const window = announce(paused, { checkpoint: 250, rows: null });
    expect(waitingRows(window)).toEqual({ count: 150, exact: false });
  });

  test("has no gap after a pause that the window can hold", () => {
    const paused = hold(follow(announceTo(EMPTY_WINDOW, 100)), "user");
    const window = follow(release(announceTo(paused, 4_321)));
    expect(window.passedOver).toBeNull();
    expect([window.coveredFrom, window.coveredTo]).toEqual([1, 4_321]);
    expectUnbroken(window);
  });

  test("after a longer pause says which offsets it passed over, and scrolling down brings all of them", () => {
    const paused = hold(follow(announceTo(EMPTY_WINDOW, 100)), "user");
    let window = follow(release(announceTo(paused, 9_000)));
    expect(window.passedOver).toEqual({ fromOffset: 101, toOffset: 8_000, afterHold: true });
    expectUnbroken(window);
    window = hold(window, "scroll");
    const seen = new Set(offsets(window));
    for (let fetch = planOlder(window); fetch !== null; fetch = planOlder(window)) {
      window = answer(window, fetch);
      for (const offset of offsets(window)) seen.add(offset);
      expectUnbroken(window);
    }
    expect(seen.size).toBe(exampleRowCount(9_000));
  });

  test("an answer that arrives after the pause began moves nothing and is fetched again later", () => {
    const window = announceTo(follow(announceTo(EMPTY_WINDOW, 100)), 150);
    const fetch = planFollow(window);
    const paused = hold(window, "row");
    expect(answer(paused, fetch)).toBe(paused);
    const resumed = follow(release(paused));
    expect(resumed.coveredTo).toBe(150);
    expectUnbroken(resumed);
  });

  test("covers only what the reader's snapshot had, so that a slow reader makes no gap", () => {
    const window = announceTo(follow(announceTo(EMPTY_WINDOW, 100)), 200);
    const partly = answer(window, planFollow(window), 150);
    expect(partly.coveredTo).toBe(150);
    expect(partly.rowsToCovered).toBeNull();
    expect(answer(window, planFollow(window), 90)).toBe(window);
    expectUnbroken(follow(partly));
  });

  test("starts anew when the checkpoint went back, as in another lake", () => {
    const window = announceTo(hold(follow(announceTo(EMPTY_WINDOW, 500)), "user"), 20);
    expect(window).toMatchObject({ rows: [], coveredTo: 0, hold: null });
    expect(follow(window).coveredTo).toBe(20);
  });

  test("the user's own pause outlives a hold by scrolling, never the other way round", () => {
    const window = follow(announceTo(EMPTY_WINDOW, 50));
    expect(hold(hold(window, "scroll"), "user").hold?.reason).toBe("user");
    expect(hold(hold(window, "user"), "scroll").hold?.reason).toBe("user");
  });

  test("plans nothing at the beginning of the log and before the first rows", () => {
    expect(planOlder(EMPTY_WINDOW)).toBeNull();
    expect(planFollow(EMPTY_WINDOW)).toBeNull();
    expect(planOlder(follow(announceTo(EMPTY_WINDOW, 50)))).toBeNull();
  });
});
