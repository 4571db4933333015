import type { WorkbenchCommand } from "#renderer/workbench/command.ts";

/** Workers with a kill button, and what will happen, in one line. */
export const KILLS = [
  { worker: "ingest", will: "stop it inside an append, SIGKILL, wait for new records, verify the lake" },
  { worker: "pipeline", will: "stop it inside a commit, SIGKILL, wait for the next commit, verify the lake" },
  { worker: "query", will: "SIGKILL, wait for the next answer, verify the lake" },
] as const;

/** What can be done in the Pipeline room. */
export const pipelineCommands: readonly WorkbenchCommand[] = KILLS.map(({ worker, will }) => ({
  id: `pipeline.kill-${worker}`,
  title: `Pipeline: kill the ${worker} worker and check (${will})`,
  keys: [],
  panel: "pipeline",
  run: ({ pipelineRoom }) => void pipelineRoom.kill(worker),
}));
