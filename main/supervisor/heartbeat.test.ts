import { expect, test } from "vitest";
import {
  checkHeartbeat,
  HEARTBEAT_HANGING_MS,
  HEARTBEAT_INTERVAL_MS,
  HEARTBEAT_KILL_MS,
  notePong,
  startHeartbeat,
} from "./heartbeat.ts";

function silentFor(ms: number): string {
  let beat = startHeartbeat(0);
  let verdict = "alive";
  for (let now = HEARTBEAT_INTERVAL_MS; now <= ms; now += HEARTBEAT_INTERVAL_MS)
    ({ beat, verdict } = checkHeartbeat(beat, now));
  return verdict;
}

test("a silent worker is alive, then hanging, then to be killed", () => {
  expect(silentFor(HEARTBEAT_HANGING_MS)).toBe("alive");
  expect(silentFor(HEARTBEAT_HANGING_MS + HEARTBEAT_INTERVAL_MS)).toBe("hanging");
  expect(silentFor(HEARTBEAT_KILL_MS + HEARTBEAT_INTERVAL_MS)).toBe("kill");
});

test("an answer makes it alive again", () => {
  const beat = notePong(startHeartbeat(0), HEARTBEAT_KILL_MS);
  expect(
    checkHeartbeat({ ...beat, lastCheckMs: HEARTBEAT_KILL_MS }, HEARTBEAT_KILL_MS + HEARTBEAT_INTERVAL_MS)
      .verdict,
  ).toBe("alive");
});

test("silence while the machine slept is forgiven", () => {
  const hour = 3_600_000;
  expect(checkHeartbeat(startHeartbeat(0), hour).verdict).toBe("alive");
});
