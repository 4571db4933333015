import { act, cleanup, render } from "@testing-library/react";
import { FakeBridge } from "../bridge/fake-bridge.test-support.ts";
import { createAppStores, type AppStores } from "../stores/app-stores.ts";
import { WindowMemory } from "../stores/window-memory.ts";
import { Workbench } from "./workbench.tsx";

/** jsdom has no layout: every element is as large as this window, so that the list paints about 30 rows. */
export function giveElementsASize(): void {
  const sizes = { offsetWidth: 1_000, offsetHeight: 600, clientHeight: 600 };
  for (const [name, value] of Object.entries(sizes)) {
    Object.defineProperty(HTMLElement.prototype, name, { configurable: true, get: () => value });
  }
  const scroll = function scroll(this: Element, ...args: unknown[]): void {
    const [first, top] = args;
    const isOptions = typeof first === "object" && first !== null && "top" in first;
    this.scrollTop = Number(isOptions ? first.top : top);
    if (isOptions && "left" in first) this.scrollLeft = Number(first.left);
  };
  Object.assign(Element.prototype, { scrollTo: scroll, scrollBy: scroll });
  givePageWhatJsdomMisses();
}

/** Sizes never change: an observer that says nothing. What modules ask for while they load is in page.test-setup.ts. */
function givePageWhatJsdomMisses(): void {
  class StillObserver {
    observe(): void {}
    unobserve(): void {}
    disconnect(): void {}
  }
  globalThis.ResizeObserver ??= StillObserver;
  // jsdom says that it is Safari, for which CodeMirror asks the document; no other engine is asked.
  Object.assign(document, { execCommand: () => false });
  // CodeMirror measures its text once a cursor is to be brought into view.
  const nowhere = { left: 0, right: 0, top: 0, bottom: 0, width: 0, height: 0, x: 0, y: 0 };
  Object.assign(Range.prototype, { getClientRects: () => [nowhere], getBoundingClientRect: () => nowhere });
}

/** The whole workbench before a fake bridge. */
export async function renderWorkbench(
  prepare: (bridge: FakeBridge) => void = () => undefined,
): Promise<{ bridge: FakeBridge; stores: AppStores }> {
  cleanup();
  giveElementsASize();
  const bridge = new FakeBridge();
  prepare(bridge);
  const memory = new WindowMemory(bridge);
  await memory.load();
  const stores = createAppStores(bridge, memory);
  await act(async () => void render(<Workbench stores={stores} />));
  return { bridge, stores };
}

/** Offsets of the rows that are in the page, from the top. */
export function paintedOffsets(): number[] {
  const rows = document.querySelectorAll<HTMLElement>(".rows [data-offset]");
  return [...rows].map((row) => Number(row.dataset["offset"]));
}
