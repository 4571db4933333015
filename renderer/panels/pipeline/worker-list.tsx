import type { ReactElement } from "react";
import type { AppStatus, WorkerStatus } from "#main/contract/app-status.ts";
import { formatBytes, formatTime } from "#renderer/components/format.ts";
import { usePipelineRoom, useStatus } from "#renderer/stores/app-stores.ts";
import { CommandButton } from "#renderer/workbench/command-button.tsx";
import type { Tone } from "#renderer/workbench/status-items.ts";
import { KILLS } from "./pipeline-commands.ts";

/** In the order of a record's journey; main lists them in the order of their start. */
const ORDER: readonly WorkerStatus["name"][] = ["feed", "ingest", "pipeline", "query"];

function toneOf({ phase }: WorkerStatus): Tone {
  if (phase.state === "running") return "ok";
  if (phase.state === "gave-up") return "bad";
  return phase.state === "hanging" || phase.state === "backing-off" ? "warn" : "none";
}

function memoryOf(status: AppStatus, name: WorkerStatus["name"]): string {
  const bytes = name === "feed" ? undefined : status[name]?.rssBytes;
  return bytes === undefined ? "" : ` · ${formatBytes(bytes)}`;
}

function Worker({
  worker,
  status,
}: {
  readonly worker: WorkerStatus;
  readonly status: AppStatus;
}): ReactElement {
  const isBusy = usePipelineRoom((state) => state.running !== null);
  const isPointed = usePipelineRoom(
    ({ pointed }) => pointed?.kind === "worker" && pointed.worker === worker.name,
  );
  const { name, phase, restarts, lastExit } = worker;
  const pid =
    "pid" in phase && phase.pid !== null ? `pid ${phase.pid}${memoryOf(status, name)}` : "no process";
  const restarted = restarts === 1 ? "1 restart" : `${restarts} restarts`;
  const end = lastExit === null ? undefined : `last end: ${lastExit.how} at ${formatTime(lastExit.atMs)}`;
  return (
    <li className={isPointed ? "pointed" : undefined} data-worker={name}>
      <span className={`light tone-${toneOf(worker)}`} aria-hidden="true" />
      <div className="about">
        <span>
          {name} <span className="word">{phase.state}</span>
        </span>
        <span className="detail" title={end}>
          {pid} · {restarted}
        </span>
        <span className="detail will" title={`Kill: ${KILLS[name]}`}>
          {KILLS[name]}
        </span>
      </div>
      <fieldset disabled={isBusy}>
        <CommandButton command={`pipeline.kill-${name}`} className="danger">
          Kill
        </CommandButton>
      </fieldset>
    </li>
  );
}

function Rows({ status }: { readonly status: AppStatus }): ReactElement {
  const workers = ORDER.flatMap((name) => status.workers.filter((worker) => worker.name === name));
  return (
    <ul>
      {workers.map((worker) => (
        <Worker key={worker.name} worker={worker} status={status} />
      ))}
    </ul>
  );
}

/** Every worker of this run with its light, process and kill button. */
export function WorkerList(): ReactElement {
  const status = useStatus((state) => state.status);
  return (
    <section className="room-card workers" aria-label="Workers">
      <header>
        <h2>Workers</h2>
      </header>
      {status === null || status.workers.length === 0 ? (
        <p className="quiet">Workers are being started.</p>
      ) : (
        <Rows status={status} />
      )}
    </section>
  );
}
