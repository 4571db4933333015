import type { KillableWorker } from "#main/contract/kill-card.ts";
import type { AppStores } from "#renderer/stores/app-stores.ts";
import type { WorkbenchCommand } from "#renderer/workbench/command.ts";
import { killCardText } from "./kill-text.ts";
import { shownCard } from "./pipeline-room.ts";

/** What a kill of each worker does, in one line. */
export const KILLS: Readonly<Record<KillableWorker, string>> = {
  ingest: "killed inside an append, checked",
  pipeline: "killed inside a commit, checked",
  query: "killed as it is, checked",
  feed: "killed, its next record, checked",
};

const WORKERS: readonly KillableWorker[] = ["ingest", "pipeline", "query", "feed"];

function copyCard({ pipelineRoom, notifications }: AppStores, form: "text" | "JSON"): void {
  const card = shownCard(pipelineRoom.store.getState());
  if (card === null) return void notifications.tell({ tone: "warn", text: "There is no kill card yet." });
  const text = form === "text" ? killCardText(card) : JSON.stringify(card, null, 2);
  void navigator.clipboard.writeText(text).then(
    () => notifications.tell({ tone: "ok", text: `Kill ${card.nth} was copied as ${form}.` }),
    () => notifications.tell({ tone: "bad", text: "The kill card could not be copied." }),
  );
}

/** What can be done in the Pipeline room. */
export const pipelineCommands: readonly WorkbenchCommand[] = [
  ...WORKERS.map((worker): WorkbenchCommand => ({
    id: `pipeline.kill-${worker}`,
    title: `Pipeline: kill the ${worker} worker (${KILLS[worker]})`,
    keys: [],
    panel: "pipeline",
    run: ({ pipelineRoom }) => void pipelineRoom.kill(worker),
  })),
  {
    id: "pipeline.copy-card",
    title: "Pipeline: copy the kill card as text",
    keys: [],
    panel: "pipeline",
    run: (stores) => copyCard(stores, "text"),
  },
  {
    id: "pipeline.copy-card-json",
    title: "Pipeline: copy the kill card as JSON",
    keys: [],
    panel: "pipeline",
    run: (stores) => copyCard(stores, "JSON"),
  },
  {
    id: "pipeline.show-all",
    title: "Pipeline: show the whole time in the charts",
    keys: ["0"],
    panel: "pipeline",
    run: ({ pipelineRoom }) => pipelineRoom.zoom(null),
  },
];
