import { runPipeline } from "./run-pipeline.ts";
import { runWorker } from "./worker-shell.ts";
import type { StartMessage } from "../protocol/worker-messages.ts";

type PipelineStart = Extract<StartMessage, { worker: "pipeline" }>;

runWorker((message): message is PipelineStart => message.worker === "pipeline", runPipeline);
