import { createStore, type StoreApi } from "zustand/vanilla";
import type { AppStatus } from "#main/contract/app-status.ts";
import type { Bridge } from "#main/contract/bridge.ts";
import type { KillableWorker, KillCard } from "#main/contract/kill-card.ts";
import type { WireError } from "#storage/model/errors.ts";
import { call } from "#renderer/bridge/call.ts";
import { EMPTY_HISTORY, type FreshnessHistory, takeSample } from "./freshness-history.ts";
import type { RunningKill } from "./kill-progress.ts";

/** What the room remembers while another tab is open. */
export type PipelineRoomState = {
  readonly history: FreshnessHistory;
  readonly running: RunningKill | null;
  readonly card: KillCard | null;
  /** The last order could not be carried out. */
  readonly error: WireError | null;
};

const START: PipelineRoomState = { history: EMPTY_HISTORY, running: null, card: null, error: null };

/** Keeps the room's history and orders kills, one at a time. Another data folder begins anew. */
export class PipelineRoom {
  readonly store: StoreApi<PipelineRoomState> = createStore<PipelineRoomState>(() => START);
  readonly #bridge: Bridge;
  #folder = "";
  #nowMs = 0;

  constructor(bridge: Bridge) {
    this.#bridge = bridge;
  }

  takeStatus(status: AppStatus): void {
    this.#nowMs = status.atMs;
    if (status.dataFolder !== this.#folder) {
      this.#folder = status.dataFolder;
      this.store.setState({ ...START, running: this.store.getState().running });
    }
    const before = this.store.getState().history;
    const history = takeSample(before, status);
    if (history !== before) this.store.setState({ history });
  }

  /** Kills a worker and keeps the card; does nothing while another kill is under way. */
  async kill(worker: KillableWorker): Promise<void> {
    if (this.store.getState().running !== null) return;
    const folder = this.#folder;
    this.store.setState({ running: { worker, startedMs: this.#nowMs }, error: null });
    const answer = await call(this.#bridge, "worker.kill", { worker });
    // An answer about a folder that was left says nothing about this one.
    const outcome =
      folder !== this.#folder ? {} : answer.ok ? { card: answer.value } : { error: answer.error };
    this.store.setState({ running: null, ...outcome });
  }
}
