import { expect, test } from "vitest";
import { nextRestart, RESTART_BUDGET, RESTART_DELAY_MAX_MS } from "./restart-policy.ts";

test("the first restart has no delay, the following ones wait longer and longer up to the limit", () => {
  const delays = Array.from({ length: RESTART_BUDGET }, (_value, index) => nextRestart(index, false)).map(
    (decision) => (decision.kind === "restart" ? decision.afterMs : -1),
  );
  expect(delays[0]).toBe(0);
  expect(delays.slice(1)).toEqual(delays.slice(1).toSorted((a, b) => a - b));
  expect(Math.max(...delays)).toBeLessThanOrEqual(RESTART_DELAY_MAX_MS);
});

test("gives up once the budget without progress is used", () => {
  expect(nextRestart(RESTART_BUDGET, false)).toEqual({ kind: "give-up" });
});

test("an ordered kill never counts, not even when the budget is used up", () => {
  expect(nextRestart(RESTART_BUDGET, true)).toEqual({
    kind: "restart",
    afterMs: 0,
    withoutProgress: RESTART_BUDGET,
  });
});
