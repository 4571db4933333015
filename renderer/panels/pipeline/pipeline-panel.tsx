import type { ReactElement } from "react";
import { Charts } from "./charts.tsx";
import { JourneyView } from "./journey-view.tsx";
import { KillResult } from "./kill-result.tsx";
import { LastBatches } from "./last-batches.tsx";
import { WorkerList } from "./worker-list.tsx";

/** The pipeline at a glance: a record's journey, freshness, lag and rates, the last batches, the workers and what came of killing them. */
export function PipelinePanel(): ReactElement {
  return (
    <div className="pipeline-room">
      <JourneyView />
      <div className="halves">
        <div className="main-half">
          <Charts />
          <LastBatches />
        </div>
        <div className="side">
          <WorkerList />
          <KillResult />
        </div>
      </div>
    </div>
  );
}
