import { type KeyboardEvent, type ReactElement, useEffect, useRef } from "react";
import uPlot from "uplot";
import { formatTime, formatUtc } from "#renderer/components/format.ts";
import { THEME_CHANGED } from "#renderer/themes/follow-theme.ts";
import { CHART_EDGE_PX, type ChartEvents, chartOptions, type ChartPlan } from "./chart-options.ts";
import type { ChartMark } from "./chart-marks.ts";
import type { TimeRange } from "./pipeline-history.ts";

/** Times (ms since 1970) first, then one column per line of the plan; null = a gap. */
export type ChartData = {
  readonly atMs: readonly number[];
  readonly lines: readonly (readonly (number | null)[])[];
};

type Props = {
  readonly plan: ChartPlan;
  readonly data: ChartData;
  readonly range: TimeRange;
  readonly marks: readonly ChartMark[];
  /** What the chart shows, in words: all that a screen reader has of it. */
  readonly label: string;
  readonly onZoom: (range: TimeRange | null) => void;
};

/** How far an arrow key moves the crosshair, px. */
const KEY_STEP_PX = 8;

/** A chart over time: crosshair with the others, drag to zoom, double click or Esc back. It paints only what is handed to it. */
export function TimeChart({ plan, data, range, marks, label, onZoom }: Props): ReactElement {
  const host = useRef<HTMLDivElement>(null);
  const tip = useRef<HTMLDivElement>(null);
  const newest = useRef({ data, marks, range, onZoom });
  const chart = useRef<uPlot | null>(null);

  useEffect(() => {
    newest.current = { data, marks, range, onZoom };
    if (chart.current !== null) show(chart.current, data, range);
  }, [data, marks, range, onZoom]);

  useEffect(() => {
    const box = host.current;
    if (box === null) return;
    return openChart(box, plan, {
      marks: () => newest.current.marks,
      onZoom: (wanted) => newest.current.onZoom(wanted),
      onCursor: (index, left) => showTip(tip.current, plan, newest.current.data, index, left),
      onOpen: (opened) => {
        chart.current = opened;
        if (opened !== null) show(opened, newest.current.data, newest.current.range);
      },
    });
  }, [plan]);

  const onKeyDown = (event: KeyboardEvent): void => {
    if (chart.current !== null && moveByKey(chart.current, event.key, onZoom)) event.preventDefault();
  };
  return (
    <div className="chart">
      {/* A picture for a screen reader, whose crosshair the arrow keys move. */}
      <div
        ref={host}
        className="chart-host"
        role="img"
        aria-label={label}
        tabIndex={0}
        onKeyDown={onKeyDown}
      />
      <div ref={tip} className="chart-tip" aria-hidden="true" hidden />
    </div>
  );
}

type OpenEvents = ChartEvents & { readonly onOpen: (chart: uPlot | null) => void };

/** Makes the chart as large as its box and keeps it so; returns the end of it. */
function openChart(box: HTMLDivElement, plan: ChartPlan, events: OpenEvents): () => void {
  // Where nothing can be painted (tests without a canvas), the words beside the chart are all there is.
  if (document.createElement("canvas").getContext("2d") === null) return () => undefined;
  const size = (): { width: number; height: number } => ({
    width: box.clientWidth,
    height: box.clientHeight,
  });
  const chart = new uPlot(chartOptions(plan, events, size()), undefined, box);
  events.onOpen(chart);
  const observer = new ResizeObserver(() => chart.setSize(size()));
  observer.observe(box);
  const repaint = (): void => chart.redraw(false, true);
  window.addEventListener(THEME_CHANGED, repaint);
  return () => {
    window.removeEventListener(THEME_CHANGED, repaint);
    observer.disconnect();
    events.onOpen(null);
    chart.destroy();
  };
}

function show(chart: uPlot, { atMs, lines }: ChartData, { fromMs, toMs }: TimeRange): void {
  chart.batch(() => {
    chart.setData([atMs.map((at) => at / 1_000), ...lines.map((line) => [...line])], false);
    chart.setScale("x", { min: fromMs / 1_000, max: toMs / 1_000 });
  });
}

function moveByKey(chart: uPlot, key: string, onZoom: Props["onZoom"]): boolean {
  if (key === "Escape") onZoom(null);
  else if (key === "ArrowLeft" || key === "ArrowRight") {
    const { left = -1 } = chart.cursor;
    const from = left < 0 ? chart.over.clientWidth : left;
    const to = from + (key === "ArrowLeft" ? -KEY_STEP_PX : KEY_STEP_PX);
    chart.setCursor({ left: Math.min(chart.over.clientWidth - 1, Math.max(0, to)), top: 0 });
  } else return false;
  return true;
}

/** Written past React: it follows the pointer. */
function showTip(
  tip: HTMLDivElement | null,
  plan: ChartPlan,
  { atMs, lines }: ChartData,
  index: number | null,
  left: number,
): void {
  if (tip === null) return;
  const at = index === null ? undefined : atMs[index];
  tip.hidden = at === undefined;
  if (at === undefined || index === null) return;
  const values = plan.lines.map(({ name }, line) => {
    const value = lines[line]?.[index] ?? null;
    return `${name} ${value === null ? "—" : plan.format(value)}`;
  });
  tip.replaceChildren(...[formatTime(at), ...values, formatUtc(at)].map(textLine));
  const isRight = left > (tip.parentElement?.clientWidth ?? 0) / 2;
  tip.style.left = isRight ? "auto" : `${left + CHART_EDGE_PX.left + 12}px`;
  const width = tip.parentElement?.clientWidth ?? 0;
  tip.style.right = isRight ? `${width - left - CHART_EDGE_PX.left + 12}px` : "auto";
}

function textLine(text: string): HTMLElement {
  const line = document.createElement("div");
  line.textContent = text;
  return line;
}
