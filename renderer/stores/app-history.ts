import { createStore, type StoreApi } from "zustand/vanilla";
import type { AppStatus } from "#main/contract/app-status.ts";
import type { ConnectionState } from "#pipeline/protocol/telemetry.ts";

/** Something that happened while this window was open. */
export type HistoryEntry = {
  readonly id: number;
  readonly atMs: number;
  readonly tone: "info" | "ok" | "warn" | "bad";
  readonly text: string;
  readonly detail: string;
};

export type HistoryState = { readonly entries: readonly HistoryEntry[] };

/** Entries kept, newest first; the logs of the workers have the rest. */
const MAX_ENTRIES = 500;

/** What happened, read off the status as it changes: workers that ended, sources, settings, banners. */
export class AppHistory {
  readonly store: StoreApi<HistoryState> = createStore<HistoryState>(() => ({ entries: [] }));
  #before: AppStatus | null = null;
  #count = 0;

  /** Adds an entry of another part of the window (the outcome of a kill, an export). */
  add(entry: Omit<HistoryEntry, "id">): void {
    this.#count += 1;
    const added = { ...entry, id: this.#count };
    this.store.setState(({ entries }) => ({ entries: [added, ...entries].slice(0, MAX_ENTRIES) }));
  }

  takeStatus(status: AppStatus): void {
    const before = this.#before;
    this.#before = status;
    for (const entry of before === null ? begun(status) : changes(before, status)) this.add(entry);
  }
}

type NewEntry = Omit<HistoryEntry, "id">;

function begun(status: AppStatus): readonly NewEntry[] {
  const text = `The app started with ${status.source}`;
  return [{ atMs: status.startedMs, tone: "info", text, detail: `data in ${status.dataFolder}` }];
}

/** What differs between two statuses, in words. */
export function changes(before: AppStatus, now: AppStatus): readonly NewEntry[] {
  if (before.dataFolder !== now.dataFolder || before.source !== now.source) {
    const text = `The source is ${now.source} now`;
    return [{ atMs: now.atMs, tone: "info", text, detail: `data in ${now.dataFolder}` }];
  }
  return [
    ...exits(before, now),
    ...banners(before, now),
    ...settings(before, now),
    ...sourceState(before, now),
  ];
}

function exits(before: AppStatus, now: AppStatus): readonly NewEntry[] {
  return now.workers.flatMap(({ name, lastExit, restarts }): NewEntry[] => {
    const old = before.workers.find((worker) => worker.name === name)?.lastExit ?? null;
    if (lastExit === null || old?.atMs === lastExit.atMs) return [];
    const detail = `restarts so far: ${restarts}`;
    return [{ atMs: lastExit.atMs, tone: "warn", text: `The ${name} worker ended: ${lastExit.how}`, detail }];
  });
}

function banners(before: AppStatus, now: AppStatus): readonly NewEntry[] {
  const isIn = (list: AppStatus["banners"], id: string): boolean => list.some((banner) => banner.id === id);
  const came = now.banners.filter(({ id }) => !isIn(before.banners, id));
  const went = before.banners.filter(({ id }) => !isIn(now.banners, id));
  return [
    ...came.map(({ tone, title, detail }): NewEntry => ({ atMs: now.atMs, tone, text: title, detail })),
    ...went.map(({ title }): NewEntry => ({
      atMs: now.atMs,
      tone: "ok",
      text: `No longer: ${title}`,
      detail: "",
    })),
  ];
}

function settings(before: AppStatus, now: AppStatus): readonly NewEntry[] {
  const since = now.pipeline?.settings?.sinceOffset ?? null;
  const old = before.pipeline?.settings?.sinceOffset ?? null;
  if (since === null || old === null || since === old) return [];
  return [
    { atMs: now.atMs, tone: "info", text: `New settings are in force`, detail: `since offset ${since}` },
  ];
}

function sourceState(before: AppStatus, now: AppStatus): readonly NewEntry[] {
  const connection = now.ingest?.connection;
  const old = before.ingest?.connection.state;
  if (connection === undefined || old === undefined || connection.state === old) return [];
  const told = tellConnection(connection);
  return told === null ? [] : [{ atMs: now.atMs, ...told, text: `${now.source}: ${told.text}` }];
}

function tellConnection(connection: ConnectionState): Omit<NewEntry, "atMs"> | null {
  switch (connection.state) {
    case "open":
      return { tone: "ok", text: "connected", detail: "" };
    case "paused":
      return { tone: "info", text: "paused", detail: "" };
    case "backing-off":
      return { tone: "warn", text: "connection lost, trying again", detail: connection.reason };
    case "ended":
      return { tone: "info", text: "ended", detail: connection.reason };
    case "failed":
      return { tone: "bad", text: "stopped", detail: `${connection.reason} ${connection.remedy}` };
    case "idle":
    case "connecting":
      return null;
  }
}
