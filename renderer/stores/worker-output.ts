import { createStore, type StoreApi } from "zustand/vanilla";
import type { Bridge } from "#main/contract/bridge.ts";
import type { CommandArguments } from "#main/contract/commands.ts";
import { call } from "#renderer/bridge/call.ts";
import type { WireError } from "#storage/model/errors.ts";

/** Logs that can be read: one of each worker, and main's own. */
export type OutputName = CommandArguments<"logs.read">["name"];

/** Lines of the log that is shown, oldest first. */
export type OutputState = {
  readonly name: OutputName;
  readonly lines: readonly string[];
  readonly error: WireError | null;
};

/** Lines kept; the file has more and is named beside them. */
const MAX_LINES = 2_000;

/** Follows one log while somebody looks at it: `poll` reads what came since. */
export class WorkerOutput {
  readonly store: StoreApi<OutputState> = createStore<OutputState>(() => ({
    name: "main",
    lines: [],
    error: null,
  }));
  readonly #bridge: Bridge;
  #toByte: number | null = null;
  #folder = "";
  #isReading = false;

  constructor(bridge: Bridge) {
    this.#bridge = bridge;
  }

  /** Shows another log, from its last lines on. */
  choose(name: OutputName): void {
    this.#toByte = null;
    this.store.setState({ name, lines: [], error: null });
    void this.poll();
  }

  /** Empties the view; what comes later is shown. The file stays as it is. */
  clear(): void {
    this.store.setState({ lines: [] });
  }

  async poll(): Promise<void> {
    if (this.#isReading) return;
    this.#isReading = true;
    const { name } = this.store.getState();
    const answer = await call(this.#bridge, "logs.read", { name, fromByte: this.#toByte });
    this.#isReading = false;
    // Another log was chosen meanwhile: its own reading comes now.
    if (this.store.getState().name !== name) return this.poll();
    if (!answer.ok) return this.store.setState({ error: answer.error });
    const { text, toByte, continues, dataFolder } = answer.value;
    const isSameFile = continues && dataFolder === this.#folder;
    this.#folder = dataFolder;
    this.#toByte = toByte;
    const added = text.split("\n").slice(0, -1);
    if (isSameFile && added.length === 0) return;
    const before = isSameFile ? this.store.getState().lines : [];
    this.store.setState({ lines: [...before, ...added].slice(-MAX_LINES), error: null });
  }
}
