import { createStore, type StoreApi } from "zustand/vanilla";
import type { AppStatus } from "#main/contract/app-status.ts";
import type { Bridge } from "#main/contract/bridge.ts";
import type { KillableWorker, KillCard, KillProgress, KillState } from "#main/contract/kill-card.ts";
import type { WireError } from "#storage/model/errors.ts";
import { call } from "#renderer/bridge/call.ts";
import { type BatchLine, mergeSteps } from "./batch-lines.ts";
import type { ChartMark } from "./chart-marks.ts";
import { EMPTY_HISTORY, type PipelineHistory, takeSample, type TimeRange } from "./pipeline-history.ts";

/** What was pointed at last, to be shown where it is listed. */
export type Pointed =
  | { readonly kind: "worker"; readonly worker: string }
  | { readonly kind: "batch"; readonly snapshotId: number };

/** What the room remembers while another tab is open. */
export type PipelineRoomState = {
  readonly history: PipelineHistory;
  /** Oldest first. */
  readonly batches: readonly BatchLine[];
  /** What the charts show; null = all of it, following the newest. */
  readonly zoom: TimeRange | null;
  readonly running: KillProgress | null;
  /** Newest first; main keeps them. */
  readonly cards: readonly KillCard[];
  /** `nth` of the card that was chosen; null = the newest. */
  readonly chosenCard: number | null;
  readonly pointed: Pointed | null;
  /** The last order could not be carried out. */
  readonly error: WireError | null;
};

const START: PipelineRoomState = {
  history: EMPTY_HISTORY,
  batches: [],
  zoom: null,
  running: null,
  cards: [],
  chosenCard: null,
  pointed: null,
  error: null,
};

/** A mark and a card speak of the same death: main sees the exit a moment after the kill. */
const SAME_DEATH_MS = 2_000;
/** Narrower stretches are a slip of the hand, not a wish to zoom. */
const SHORTEST_ZOOM_MS = 2_000;

/** Keeps the room's history, batches and kills. Another data folder begins anew. */
export class PipelineRoom {
  readonly store: StoreApi<PipelineRoomState> = createStore<PipelineRoomState>(() => START);
  readonly #bridge: Bridge;
  #folder = "";

  constructor(bridge: Bridge) {
    this.#bridge = bridge;
  }

  /** Hears of kills, whoever ordered them; returns the end of it. */
  connect(): () => void {
    const leave = this.#bridge.on("kill", (state) => this.#takeKills(state));
    void call(this.#bridge, "worker.kills", {}).then((answer) => {
      if (answer.ok) this.#takeKills(answer.value);
    });
    return leave;
  }

  takeStatus(status: AppStatus): void {
    if (status.dataFolder !== this.#folder) {
      const { running, cards } = this.store.getState();
      const isFirst = this.#folder === "";
      this.#folder = status.dataFolder;
      this.store.setState({ ...START, running, cards: isFirst ? cards : [] });
    }
    const { history: before, batches: linesBefore } = this.store.getState();
    const { lines, newSteps } =
      status.pipeline === null
        ? { lines: linesBefore, newSteps: [] }
        : mergeSteps(linesBefore, status.pipeline.steps);
    const history = takeSample(before, status, newSteps);
    if (history !== before || lines !== linesBefore) this.store.setState({ history, batches: lines });
  }

  /** Orders a kill; its steps and its card come as events. A refusal of main (another kill is under way) is shown as it is. */
  async kill(worker: KillableWorker): Promise<void> {
    const folder = this.#folder;
    this.store.setState({ error: null, chosenCard: null });
    const answer = await call(this.#bridge, "worker.kill", { worker });
    // An answer about a folder that was left says nothing about this one.
    if (!answer.ok && folder === this.#folder) this.store.setState({ error: answer.error });
  }

  chooseCard(nth: number): void {
    this.store.setState({ chosenCard: nth });
  }

  /** Shows a stretch of time; null = everything again. */
  zoom(range: TimeRange | null): void {
    if (range !== null && range.toMs - range.fromMs < SHORTEST_ZOOM_MS) return;
    this.store.setState({ zoom: range });
  }

  /** Opens what a mark stands for: the card of that kill, the worker that ended, or the line of that snapshot. */
  openMark(mark: ChartMark): void {
    if (mark.kind !== "exit")
      return this.store.setState({ pointed: { kind: "batch", snapshotId: mark.snapshotId } });
    const distance = ({ killedAtMs }: KillCard): number => Math.abs((killedAtMs ?? 0) - mark.atMs);
    const [card] = this.store
      .getState()
      .cards.filter((one) => one.worker === mark.worker && distance(one) < SAME_DEATH_MS)
      .toSorted((one, other) => distance(one) - distance(other));
    if (card === undefined) this.store.setState({ pointed: { kind: "worker", worker: mark.worker } });
    else this.store.setState({ chosenCard: card.nth, pointed: null });
  }

  #takeKills({ running, cards }: KillState): void {
    const { cards: before } = this.store.getState();
    // A new card shows itself; one that was chosen before is a click away.
    const isNew = cards[0]?.nth !== before[0]?.nth;
    this.store.setState({ running, cards, ...(isNew ? { chosenCard: null, error: null } : {}) });
  }
}

/** The card to show: the one that was chosen, else the newest. */
export function shownCard({ cards, chosenCard }: PipelineRoomState): KillCard | null {
  return cards.find(({ nth }) => nth === chosenCard) ?? cards[0] ?? null;
}
