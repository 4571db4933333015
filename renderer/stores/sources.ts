import type { AppStatus } from "#main/contract/app-status.ts";
import type { Bridge } from "#main/contract/bridge.ts";
import type { CommandName } from "#main/contract/commands.ts";
import { createStore, type StoreApi } from "zustand/vanilla";
import { call } from "#renderer/bridge/call.ts";
import { formatCount } from "#renderer/components/format.ts";
import type { Notifications } from "./notifications.ts";
import type { WindowMemory } from "./window-memory.ts";

/** Recordings opened before, newest first, and whether a switch is under way. */
export type SourcesState = { readonly recent: readonly string[]; readonly isSwitching: boolean };

/** Recordings kept in the list. */
const MAX_RECENT = 10;
const MEMORY_NAME = "sources.recent";

type Steering = Extract<CommandName, `source.${string}` | "folder.show">;

/** Steers the source and remembers which recordings were opened. What main refuses is told with its reason. */
export class Sources {
  readonly store: StoreApi<SourcesState>;
  readonly #bridge: Bridge;
  readonly #notifications: Notifications;
  readonly #memory: WindowMemory;
  /** Recording whose end was told already. */
  #toldEnd = "";

  constructor(bridge: Bridge, notifications: Notifications, memory: WindowMemory) {
    this.#bridge = bridge;
    this.#notifications = notifications;
    this.#memory = memory;
    const saved = memory.get(MEMORY_NAME);
    const recent = Array.isArray(saved) ? saved.filter((path) => typeof path === "string") : [];
    this.store = createStore<SourcesState>(() => ({
      recent: recent.slice(0, MAX_RECENT),
      isSwitching: false,
    }));
  }

  /** Pause, resume, stop, start, try again, live, demo, show the folder. */
  async tell(command: Exclude<Steering, "source.open-file">): Promise<void> {
    const isSwitch = command === "source.use-live" || command === "source.use-demo";
    await this.#during(isSwitch, async () => {
      const answer = await call(this.#bridge, command, {});
      if (!answer.ok) this.#notifications.tell({ tone: "bad", text: answer.error.message });
    });
  }

  /** Opens a recording; null asks the user which. */
  async openRecording(path: string | null): Promise<void> {
    await this.#during(true, async () => {
      const answer = await call(this.#bridge, "source.open-file", { path });
      if (!answer.ok) return void this.#notifications.tell({ tone: "bad", text: answer.error.message });
      if (answer.value !== null) this.#remember(answer.value.path);
    });
  }

  /** Opens what was dropped onto the window: one recording at a time. */
  async openDropped(files: readonly File[]): Promise<void> {
    const [first] = files;
    if (first === undefined) return;
    const path = this.#bridge.pathOf(first);
    if (path === "") {
      const text = `${first.name} lies nowhere on this computer, so it cannot be read again after a kill. Save it first.`;
      return void this.#notifications.tell({ tone: "bad", text });
    }
    if (files.length > 1) {
      const text = `${files.length} files were dropped; one recording is read at a time. ${first.name} is opened.`;
      this.#notifications.tell({ tone: "info", text });
    }
    await this.openRecording(path);
  }

  /** Forgets a recording; the file stays. */
  forget(path: string): void {
    this.#keep(this.store.getState().recent.filter((other) => other !== path));
  }

  /** Tells once when a recording was read to its end and everything of it is in the tables. */
  takeStatus(status: AppStatus): void {
    const { ingest, pipeline, mode, source } = status;
    if (mode !== "file" || ingest?.connection.state !== "ended" || pipeline === null) return;
    const isWhole =
      pipeline.source === source && pipeline.checkpoint >= ingest.head && ingest.source === source;
    const key = `${status.dataFolder}\n${source}\n${status.startedMs}`;
    if (!isWhole || this.#toldEnd === key) return;
    this.#toldEnd = key;
    const count = (hop: string): string => formatCount(pipeline.ledger[hop] ?? 0);
    const ofFile = (pipeline.ledger["received"] ?? 0) - (pipeline.ledger["control"] ?? 0);
    this.#notifications.tell({
      tone: "ok",
      text: `The recording was read to its end: ${formatCount(ofFile)} records, ${count("bronze")} in the tables, ${count("dead_letter")} dead letters, ${count("duplicate")} duplicates.`,
      detail: `${ingest.url}, as of snapshot ${formatCount(pipeline.snapshotId)}. Windows at its end stay open: nothing newer came.`,
    });
  }

  #remember(path: string): void {
    this.#keep([path, ...this.store.getState().recent.filter((other) => other !== path)]);
  }

  #keep(paths: readonly string[]): void {
    const recent = paths.slice(0, MAX_RECENT);
    this.store.setState({ recent });
    this.#memory.set(MEMORY_NAME, recent);
  }

  async #during(isSwitch: boolean, work: () => Promise<void>): Promise<void> {
    if (isSwitch) this.store.setState({ isSwitching: true });
    try {
      await work();
    } finally {
      if (isSwitch) this.store.setState({ isSwitching: false });
    }
  }
}
