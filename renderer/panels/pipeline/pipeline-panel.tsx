import { Fragment, type ReactElement } from "react";
import { Icon } from "#renderer/components/icon.tsx";
import { useStatus } from "#renderer/stores/app-stores.ts";
import { FreshnessChart } from "./freshness-chart.tsx";
import { journey } from "./journey.ts";
import { KillResult } from "./kill-result.tsx";
import { WorkerList } from "./worker-list.tsx";

function Journey(): ReactElement {
  const status = useStatus((state) => state.status);
  if (status === null) return <p className="quiet">Starting …</p>;
  return (
    <div className="journey" role="group" aria-label="A record's journey">
      {journey(status).map(({ name, value, word, tone }, at) => (
        <Fragment key={name}>
          {at === 0 ? null : <Icon name="arrow-right" />}
          <div className={`station edge-${tone}`} title={`${name}: ${value}, ${word}`}>
            <span className="name">{name}</span>
            <span className="number">{value}</span>
            <span className="word">{word}</span>
          </div>
        </Fragment>
      ))}
    </div>
  );
}

/** The pipeline at a glance: a record's journey, freshness, the workers, and what came of the last kill. */
export function PipelinePanel(): ReactElement {
  return (
    <div className="pipeline-room">
      <Journey />
      <div className="halves">
        <FreshnessChart />
        <div className="side">
          <WorkerList />
          <KillResult />
        </div>
      </div>
    </div>
  );
}
