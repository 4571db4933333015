import { expect, test } from "vitest";
import type { AppStatus } from "#main/contract/app-status.ts";
import { type KillState, MAX_KILL_CARDS } from "#main/contract/kill-card.ts";
import { exampleStatus, exampleWorker } from "../bridge/status.test-support.ts";
import { fakeEngine } from "../bridge/engine.test-support.ts";
import { AppError } from "#storage/model/errors.ts";
import { KillDesk } from "./kill-desk.ts";

const LIMITS = { reachMs: 20, recoveryMs: 20, lookMs: 1 };

function deskOver(status: () => AppStatus, isSwitching = false) {
  const { engine } = fakeEngine(() => new AppError("worker-gone", "none here"));
  const told: KillState[] = [];
  const over = { ...engine, status, isSwitching: () => isSwitching };
  return { desk: new KillDesk(over, (state) => void told.push(state), LIMITS), told };
}

test("a second order is refused and says which kill is under way", async () => {
  const { desk } = deskOver(() => exampleStatus());
  const first = desk.kill("pipeline");
  await expect(desk.kill("ingest")).rejects.toMatchObject({ code: "usage", message: /Kill 1 \(pipeline\)/ });
  await first;
  expect(desk.state()).toMatchObject({ running: null, cards: [{ nth: 1, worker: "pipeline" }] });
});

test("an order is refused while the source is being switched, and for a worker that this run has none of", async () => {
  const { desk } = deskOver(() => exampleStatus(), true);
  await expect(desk.kill("pipeline")).rejects.toMatchObject({ code: "usage", message: /being switched/ });
  const { desk: live } = deskOver(() => exampleStatus());
  await expect(live.kill("feed")).rejects.toMatchObject({ code: "usage", message: /only the demo feed/ });
  expect(live.state()).toEqual({ running: null, cards: [] });
});

test("keeps the last cards, newest first, and none of another data folder", async () => {
  let dataFolder = "/one";
  const away = exampleWorker("query", 1, { phase: { state: "stopped" } });
  const { desk, told } = deskOver(() => exampleStatus({ dataFolder, workers: [away] }));
  for (let nth = 1; nth <= MAX_KILL_CARDS + 2; nth += 1) await desk.kill("query");
  expect(desk.state().cards.map(({ nth }) => nth)).toEqual([12, 11, 10, 9, 8, 7, 6, 5, 4, 3]);
  expect(told.at(-1)).toEqual(desk.state());
  expect(told[0]?.running).toMatchObject({ nth: 1, worker: "query", reached: "asked" });
  dataFolder = "/other";
  expect(desk.state().cards).toEqual([]);
});
