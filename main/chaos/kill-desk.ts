import {
  type KillableWorker,
  type KillCard,
  type KillProgress,
  type KillState,
  MAX_KILL_CARDS,
} from "#main/contract/kill-card.ts";
import { AppError } from "#storage/model/errors.ts";
import type { Engine } from "../engine/engine-contract.ts";
import { KILL_LIMITS, type KillEngine, killWorker, type KillLimits } from "./kill-worker.ts";

/**
 * Takes orders to kill, one at a time, and keeps what came of the last ones in the data folder in use. The worker process is
 * none of its business: the same answer comes to whoever asks, window or test.
 */
export class KillDesk {
  readonly #engine: KillEngine & Pick<Engine, "isSwitching">;
  readonly #onChange: (state: KillState) => void;
  readonly #limits: KillLimits;
  #running: KillProgress | null = null;
  #cards: readonly KillCard[] = [];
  #folder = "";
  #count = 0;

  constructor(
    engine: KillEngine & Pick<Engine, "isSwitching">,
    onChange: (state: KillState) => void,
    limits: KillLimits = KILL_LIMITS,
  ) {
    this.#engine = engine;
    this.#onChange = onChange;
    this.#limits = limits;
  }

  state(): KillState {
    this.#forgetOtherFolder();
    return { running: this.#running, cards: this.#cards };
  }

  /**
   * Kills a worker inside its work and resolves with the card. Rejects with `usage` while another kill is being proven, while
   * the source is being switched, and for a worker that this run has none of. A seal under way is no reason to refuse: it takes
   * less than a second, and the kill waits for the next commit anyway.
   */
  async kill(worker: KillableWorker): Promise<KillCard> {
    this.#refuse(worker);
    this.#forgetOtherFolder();
    this.#count += 1;
    const folder = this.#folder;
    try {
      const onStep = (progress: KillProgress): void => this.#tell(progress);
      const card = await killWorker(this.#engine, worker, { nth: this.#count, onStep, limits: this.#limits });
      if (this.#folder === folder) this.#cards = [card, ...this.#cards].slice(0, MAX_KILL_CARDS);
      return card;
    } finally {
      this.#tell(null);
    }
  }

  #refuse(worker: KillableWorker): void {
    if (this.#running !== null) {
      const { nth, worker: other } = this.#running;
      throw new AppError("usage", `Kill ${nth} (${other}) is being proven; wait for its card.`);
    }
    if (this.#engine.isSwitching())
      throw new AppError("usage", "The source is being switched; kill again when it runs.");
    if (!this.#engine.status().workers.some(({ name }) => name === worker)) {
      const why = worker === "feed" ? "only the demo feed is a worker of ours" : "it was not started";
      throw new AppError("usage", `This run has no ${worker} worker: ${why}.`);
    }
  }

  #tell(progress: KillProgress | null): void {
    this.#running = progress;
    this.#onChange(this.state());
  }

  /** Cards speak of the lake that they were proven on. */
  #forgetOtherFolder(): void {
    const { dataFolder } = this.#engine.status();
    if (dataFolder === this.#folder) return;
    this.#folder = dataFolder;
    this.#cards = [];
  }
}
