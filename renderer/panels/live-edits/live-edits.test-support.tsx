import { act, cleanup, fireEvent, render } from "@testing-library/react";
import { FakeBridge } from "../../bridge/fake-bridge.test-support.ts";
import { createAppStores, type AppStores } from "../../stores/app-stores.ts";
import { WindowMemory } from "../../stores/window-memory.ts";
import { giveElementsASize } from "../../workbench/render-workbench.test-support.tsx";
import { Workbench } from "../../workbench/workbench.tsx";
import { exampleRows } from "./live-row.test-support.ts";

const WIKIS = ["enwiki", "dewiki", "frwiki", "wikidatawiki"];

/** Wiki, type, bot and namespace by the offset, so that a test knows which rows a filter keeps. */
export function mixedRows(from: number, to: number) {
  return exampleRows(from, to).map((row) => ({
    ...row,
    wiki: WIKIS[row.logOffset % 4] ?? "",
    type: row.logOffset % 5 === 0 ? "log" : "edit",
    bot: row.logOffset % 3 === 0,
    namespace: row.logOffset % 7 === 0 ? 14 : 0,
  }));
}

/** Gives a lake {@link mixedRows}. */
export function mix(fake: FakeBridge): void {
  fake.rows = mixedRows;
}

/** A key, where the keyboard is. */
export function press(key: string, more: object = {}): void {
  fireEvent.keyDown(document.activeElement ?? document.body, { key, ...more });
}

/** A commit that the window has heard of. */
export async function commit(bridge: FakeBridge, checkpoint: number): Promise<void> {
  await act(async () => bridge.commit(checkpoint));
}

/** A window that starts with the memory that another one left. */
export async function startAgain(before: {
  readonly bridge: FakeBridge;
  readonly stores: AppStores;
}): Promise<{ bridge: FakeBridge; stores: AppStores }> {
  await before.stores.memory.flush();
  cleanup();
  giveElementsASize();
  const bridge = new FakeBridge();
  bridge.memory = before.bridge.memory;
  bridge.rows = before.bridge.rows;
  bridge.status = before.bridge.status;
  const memory = new WindowMemory(bridge);
  await memory.load();
  const stores = createAppStores(bridge, memory);
  await act(async () => void render(<Workbench stores={stores} />));
  return { bridge, stores };
}
