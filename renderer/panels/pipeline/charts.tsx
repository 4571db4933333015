import { type ReactElement, useCallback, useMemo } from "react";
import { formatCount, formatDuration, formatRate } from "#renderer/components/format.ts";
import { useAppStores, usePipelineRoom, useStatus } from "#renderer/stores/app-stores.ts";
import { CommandButton } from "#renderer/workbench/command-button.tsx";
import type { ChartPlan } from "./chart-options.ts";
import { lagOf } from "./journey.ts";
import { MarkStrip } from "./mark-strip.tsx";
import {
  OBJECTIVE_MS,
  objectiveMet,
  type PipelineSample,
  rangeOf,
  type TimeRange,
} from "./pipeline-history.ts";
import { type ChartData, TimeChart } from "./time-chart.tsx";

/** Freshness from 10 ms to five minutes: the everyday and the objective on one axis. */
const FRESHNESS_AXIS_MS = { from: 10, to: 300_000 } as const;

const FRESHNESS: ChartPlan = {
  lines: [{ name: "fresh", color: "accent", isArea: true }],
  format: formatDuration,
  formatAxis: formatAxisDuration,
  scale: { kind: "logarithmic", ...FRESHNESS_AXIS_MS },
  limit: { at: OBJECTIVE_MS, name: `objective ${OBJECTIVE_MS / 1_000} s` },
};

const LAG: ChartPlan = {
  lines: [{ name: "lag", color: "accent", isArea: true }],
  format: formatCount,
  formatAxis: formatCount,
  scale: { kind: "adaptive", least: 10 },
  limit: null,
};

const RATES: ChartPlan = {
  lines: [
    { name: "in", color: "accent" },
    { name: "out", color: "ok" },
  ],
  format: formatRate,
  formatAxis: (perSecond) => `${Number(perSecond.toFixed(1))}/s`,
  scale: { kind: "adaptive", least: 1 },
  limit: null,
};

/** `10 ms`, `0.1 s`, `120 s`: seconds all along, so that decades can be compared. */
function formatAxisDuration(ms: number): string {
  const seconds = ms / 1_000;
  if (seconds >= 10) return `${formatCount(seconds)} s`;
  return `${Number(seconds.toFixed(2))} s`;
}

function useRange(): TimeRange {
  const history = usePipelineRoom((state) => state.history);
  const zoom = usePipelineRoom((state) => state.zoom);
  const whole = useMemo(() => rangeOf(history), [history]);
  return zoom ?? whole;
}

type Column = (sample: PipelineSample) => number | null;

function useData(...columns: readonly Column[]): ChartData {
  const samples = usePipelineRoom((state) => state.history.samples);
  return useMemo(
    () => ({
      atMs: samples.map(({ atMs }) => atMs),
      lines: columns.map((column) => samples.map((sample) => column(sample))),
    }),
    // The columns of a chart are constants of this file.
    // oxlint-disable-next-line react/exhaustive-deps
    [samples],
  );
}

const freshness: Column = ({ freshnessMs }) =>
  freshnessMs === null ? null : Math.max(freshnessMs, FRESHNESS_AXIS_MS.from);
const lag: Column = (sample) => sample.lag;
const inRate: Column = (sample) => sample.inRate;
const outRate: Column = (sample) => sample.outRate;

function Chart({
  plan,
  data,
  label,
}: {
  readonly plan: ChartPlan;
  readonly data: ChartData;
  readonly label: string;
}): ReactElement {
  const { pipelineRoom } = useAppStores();
  const range = useRange();
  const marks = usePipelineRoom((state) => state.history.marks);
  const onZoom = useCallback((wanted: TimeRange | null) => pipelineRoom.zoom(wanted), [pipelineRoom]);
  const span = `${formatDuration(range.toMs - range.fromMs)} shown`;
  return (
    <TimeChart
      plan={plan}
      data={data}
      range={range}
      marks={marks}
      label={`${label}; ${span}, ${marks.length} marks`}
      onZoom={onZoom}
    />
  );
}

function freshnessSummary(
  { p50, p99 }: { readonly p50: number | null | undefined; readonly p99: number | null | undefined },
  samples: readonly PipelineSample[],
): string {
  const met = objectiveMet(samples);
  const show = (ms: number | null | undefined): string => (typeof ms === "number" ? formatDuration(ms) : "—");
  const share =
    met === null ? "not measured yet" : `met ${(Math.floor(met * 1_000) / 10).toFixed(met === 1 ? 0 : 1)} %`;
  return `p50 ${show(p50)} · p99 ${show(p99)} · objective ${OBJECTIVE_MS / 1_000} s ${share}`;
}

function FreshnessCard(): ReactElement {
  const p50 = useStatus(({ status }) => status?.pipeline?.freshnessP50Ms);
  const p99 = useStatus(({ status }) => status?.pipeline?.freshnessP99Ms);
  const { samples, marks } = usePipelineRoom((state) => state.history);
  const isZoomed = usePipelineRoom((state) => state.zoom !== null);
  const range = useRange();
  const data = useData(freshness);
  const summary = freshnessSummary({ p50, p99 }, samples);
  const isEmpty = !samples.some(({ freshnessMs }) => freshnessMs !== null);
  return (
    <section className="room-card chart-card freshness" aria-label="Freshness">
      <header>
        <h2 title="commit time − received time of the newest record of each commit">Freshness</h2>
        {isZoomed ? <CommandButton command="pipeline.show-all">Show all</CommandButton> : null}
        <span className="summary">{summary}</span>
      </header>
      <MarkStrip marks={marks} range={range} />
      <Chart plan={FRESHNESS} data={data} label={`Freshness: ${summary}`} />
      {isEmpty ? <p className="no-line">The line begins with the first commit.</p> : null}
    </section>
  );
}

function LagCard(): ReactElement {
  const now = useStatus(({ status }) => (status === null || status.pipeline === null ? null : lagOf(status)));
  const text = now === null ? "—" : `${formatCount(now)} records`;
  return (
    <section className="room-card chart-card" aria-label="Lag">
      <header>
        <h2 title="records in the log that are not in the lake yet">Lag</h2>
        <span className="summary">{text}</span>
      </header>
      <Chart plan={LAG} data={useData(lag)} label={`Lag: ${text} behind now`} />
    </section>
  );
}

function RatesCard(): ReactElement {
  const received = useStatus(({ status }) => status?.ingest?.recordsPerSecond ?? null);
  const committed = useStatus(({ status }) => status?.pipeline?.recordsPerSecond ?? null);
  const show = (rate: number | null): string => (rate === null ? "—" : formatRate(rate));
  return (
    <section className="room-card chart-card" aria-label="Records a second">
      <header>
        <h2 title="records received and committed per second, over the last 5 s">Rates</h2>
        <span className="summary">
          <span className="key in">in {show(received)}</span>{" "}
          <span className="key out">out {show(committed)}</span>
        </span>
      </header>
      <Chart
        plan={RATES}
        data={useData(inRate, outRate)}
        label={`Records a second: in ${show(received)}, out ${show(committed)}`}
      />
    </section>
  );
}

/** Freshness, lag and rates of the last ten minutes; the lines are interrupted where nothing was committed or seen. */
export function Charts(): ReactElement {
  return (
    <>
      <FreshnessCard />
      <div className="chart-pair">
        <LagCard />
        <RatesCard />
      </div>
    </>
  );
}
