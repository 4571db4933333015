import { expect, test } from "vitest";
import { PagePulse } from "./page-pulse.ts";

function setUp(answer: () => Promise<unknown>) {
  const state = { asked: 0, hung: 0, isExpected: true };
  const pulse = new PagePulse({
    ask: () => {
      state.asked += 1;
      return answer();
    },
    isExpected: () => state.isExpected,
    onHung: () => (state.hung += 1),
  });
  const look = async (times: number): Promise<void> => {
    for (let at = 0; at < times; at += 1) {
      pulse.look();
      await Promise.resolve();
      await Promise.resolve();
    }
  };
  return { state, pulse, look };
}

const never = (): Promise<unknown> => new Promise(() => undefined);

test("a page that answers is asked again and again, and never taken for hung; a refusal is an answer", async () => {
  const { state, look } = setUp(() => Promise.reject(new Error("going away")));
  await look(20);
  expect(state).toMatchObject({ asked: 20, hung: 0 });
});

test("a page that does not answer is asked once, and taken for hung at the fifth look", async () => {
  const { state, look } = setUp(never);
  await look(4);
  expect(state).toMatchObject({ asked: 1, hung: 0 });
  await look(1);
  expect(state.hung).toBe(1);
});

test("while it is hidden or loads nothing is expected, and what was asked before does not count", async () => {
  const { state, look } = setUp(never);
  await look(3);
  state.isExpected = false;
  await look(20);
  state.isExpected = true;
  await look(4);
  expect(state).toMatchObject({ asked: 2, hung: 0 });
});
