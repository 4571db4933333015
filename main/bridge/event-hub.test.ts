import { describe, expect, test } from "vitest";
import { fakeEngine } from "./engine.test-support.ts";
import { EventHub, type HubClock } from "./event-hub.ts";
import { exampleStatus } from "./status.test-support.ts";

function fakeClock() {
  let nowMs = 0;
  let timers: { atMs: number; run: () => void }[] = [];
  const clock: HubClock = {
    nowMs: () => nowMs,
    after: (ms, run) => {
      const timer = { atMs: nowMs + ms, run };
      timers.push(timer);
      return () => {
        timers = timers.filter((other) => other !== timer);
      };
    },
  };
  const advance = (ms: number) => {
    nowMs += ms;
    const due = timers.filter((timer) => timer.atMs <= nowMs);
    timers = timers.filter((timer) => timer.atMs > nowMs);
    for (const timer of due) timer.run();
  };
  return { clock, advance, pending: () => timers.length };
}

function setUp() {
  const time = fakeClock();
  const { engine, announce } = fakeEngine(() => ({ ask: "snapshots", snapshots: [] }));
  const hub = new EventHub(engine, time.clock);
  const received: (number | string)[] = [];
  const window = { shown: true };
  const membership = hub.join({
    isShown: () => window.shown,
    send: (event, payload) => void received.push("atMs" in payload ? payload.atMs : event),
  });
  return {
    ...time,
    hub,
    membership,
    received,
    window,
    announce: (atMs: number) => announce(exampleStatus({ atMs })),
  };
}

describe("event hub", () => {
  test("sends at most four statuses a second and the newest wins", () => {
    const { advance, announce, received } = setUp();
    for (let ms = 0; ms < 1_000; ms += 10) {
      announce(ms);
      advance(10);
    }
    expect(received).toHaveLength(5);
    expect(received).toEqual([0, 240, 490, 740, 990]);
  });

  test("sends nothing to a hidden window, and the newest at once when it is shown", () => {
    const { advance, announce, received, window, membership } = setUp();
    announce(1);
    window.shown = false;
    for (let at = 2; at < 10; at += 1) {
      announce(at);
      advance(300);
    }
    expect(received).toEqual([1]);
    window.shown = true;
    membership.shown();
    expect(received).toEqual([1, 9]);
  });

  test("gives a window that joins late the newest status", () => {
    const { announce, hub } = setUp();
    announce(5);
    const late: number[] = [];
    hub.join({
      isShown: () => true,
      send: (_event, payload) => void late.push("atMs" in payload ? payload.atMs : Number.NaN),
    });
    expect(late).toEqual([5]);
  });

  test("tells what else happened to windows on screen at once, and to hidden ones never", () => {
    const { hub, received, window } = setUp();
    const progress = { runId: "r", done: 0.5, what: "gold" };
    hub.tell("progress", progress);
    window.shown = false;
    hub.tell("progress", progress);
    expect(received).toEqual(["progress"]);
  });

  test("sends a state at once, and its newest again when the window is shown", () => {
    const { hub, received, window, membership } = setUp();
    hub.tellState("kill", { running: null, cards: [] });
    expect(received).toEqual(["kill"]);
    window.shown = false;
    hub.tellState("kill", { running: null, cards: [] });
    expect(received).toHaveLength(1);
    window.shown = true;
    membership.shown();
    expect(received).toEqual(["kill", "kill"]);
  });

  test("leaves no timer and no listener behind when closed", () => {
    const { announce, hub, received, pending, advance } = setUp();
    announce(1);
    announce(2);
    expect(pending()).toBe(1);
    hub.close();
    announce(3);
    advance(1_000);
    expect(pending()).toBe(0);
    expect(received).toEqual([1]);
  });
});
