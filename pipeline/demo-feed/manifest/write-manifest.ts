import { hash } from "node:crypto";
import { open, rename } from "node:fs/promises";
import { eventKind } from "../generate/event-kind.ts";
import { canaryId, canaryPosition, canaryText, eventText } from "../generate/event-text.ts";
import { type FeedPlan, IDLE_TOPIC, SERVED_TOPIC } from "../generate/feed-plan.ts";
import { eventId } from "../generate/change-event.ts";
import {
  canariesBeforePosition,
  hasNoOffset,
  idleOffset,
  offsetAt,
  positionOfEvent,
} from "../generate/positions.ts";
import type { ManifestBook } from "./manifest-book.ts";
import type { ManifestHeader, ManifestLine } from "./manifest-format.ts";

/** Lines written at once; between two lots the event loop is free. */
const LINES_PER_WRITE = 2000;

/** What a manifest is written from. `produced` events and `positions` exist. */
export type ManifestState = {
  readonly plan: FeedPlan;
  readonly book: ManifestBook;
  readonly produced: number;
  readonly positions: number;
  readonly isComplete: boolean;
  /** False where the feed took the place of one that was killed: the servings of that one are not counted. */
  readonly isWhole: boolean;
};

/** Writes the manifest beside `path` and moves it there whole: a reader sees the old one or the new one. */
export async function writeManifest(path: string, state: ManifestState): Promise<void> {
  const partial = `${path}.partial`;
  const file = await open(partial, "w");
  try {
    let lot = `${JSON.stringify(headerOf(state))}\n`;
    let lines = 0;
    for (const line of linesOf(state)) {
      lot += `${JSON.stringify(line)}\n`;
      lines += 1;
      if (lines % LINES_PER_WRITE !== 0) continue;
      await file.write(lot);
      lot = "";
    }
    await file.write(lot);
    await file.sync();
  } finally {
    await file.close();
  }
  await rename(partial, path);
}

function headerOf(state: ManifestState): ManifestHeader {
  const { plan, book, produced } = state;
  let distinctServed = 0;
  for (let k = 0; k < produced; k += 1) if (book.servings(k) > 0) distinctServed += 1;
  return {
    manifest: 1,
    complete: state.isComplete,
    whole: state.isWhole,
    seed: plan.seed,
    startMs: plan.startMs,
    eventRate: plan.eventRate,
    events: Number.isFinite(plan.events) ? plan.events : null,
    faults: [...plan.faults],
    produced,
    distinctServed,
  };
}

function* linesOf(state: ManifestState): Generator<ManifestLine> {
  for (let k = 0; k < state.produced; k += 1) yield eventLine(state, k);
  const canaries = canariesBeforePosition(state.plan, state.positions);
  for (const topic of [SERVED_TOPIC, IDLE_TOPIC]) {
    for (let c = 0; c < canaries; c += 1) yield canaryLine(state, topic, c);
  }
}

function eventLine({ plan, book }: ManifestState, k: number): ManifestLine {
  const kind = eventKind(plan, k);
  const flaw = kind.kind === "malformed" ? kind.flaw : null;
  const position = positionOfEvent(plan, k);
  const isUnreadable = hasNoOffset(plan, position);
  const id = isUnreadable || flaw === "missing-meta-id" ? null : eventId(plan, k);
  const offset = isUnreadable ? null : offsetAt(plan, position);
  const sha256 = book.sha256(k) ?? hash("sha256", eventText(plan, k));
  return [k, id, SERVED_TOPIC, offset, kind.kind, flaw, book.servings(k), sha256];
}

function canaryLine({ plan, book }: ManifestState, topic: string, c: number): ManifestLine {
  const offset = topic === IDLE_TOPIC ? idleOffset(c) : offsetAt(plan, canaryPosition(plan, c));
  const sha256 = hash("sha256", canaryText(plan, topic, c));
  return [
    null,
    canaryId(plan, topic, c),
    topic,
    offset,
    "canary",
    null,
    book.canaryServings(topic, c),
    sha256,
  ];
}
