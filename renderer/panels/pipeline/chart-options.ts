import type uPlot from "uplot";
import { formatTime } from "#renderer/components/format.ts";
import type { ThemeTokens } from "#renderer/themes/tokens.ts";
import type { ChartMark } from "./chart-marks.ts";
import type { TimeRange } from "./pipeline-history.ts";

/** One line of a chart. */
export type ChartLine = {
  readonly name: string;
  readonly color: keyof ThemeTokens;
  /** Fills the area below the line. */
  readonly isArea?: boolean;
};

/** What a chart is, apart from its data. */
export type ChartPlan = {
  readonly lines: readonly ChartLine[];
  readonly format: (value: number) => string;
  readonly formatAxis: (value: number) => string;
  /** `logarithmic`: both a fifth of a second and two minutes are readable; the axis is then fixed. */
  readonly scale:
    | { readonly kind: "adaptive"; readonly least: number }
    | { readonly kind: "logarithmic"; readonly from: number; readonly to: number };
  /** A line that must not be crossed. */
  readonly limit: { readonly at: number; readonly name: string } | null;
};

/** What a chart tells its owner and asks of it. */
export type ChartEvents = {
  readonly onZoom: (range: TimeRange | null) => void;
  /** The cursor stands on a sample (or on none), `left` px from the plot's edge; only of the chart that is pointed at. */
  readonly onCursor: (index: number | null, left: number) => void;
  /** What is drawn over the lines now. */
  readonly marks: () => readonly ChartMark[];
};

/** Room of the y axis and beside the last sample, px; the marks above the plot keep the same. */
export const CHART_EDGE_PX = { left: 54, right: 12 } as const;
const TIME_AXIS_PX = 22;
/** Charts with this key move their crosshairs together. */
const SYNC_KEY = "pipeline";
const SECONDS_SHOWN_UNDER_S = 300;

/** A colour of the theme on screen. */
export function themeColor(name: keyof ThemeTokens): string {
  return getComputedStyle(document.documentElement).getPropertyValue(`--${name}`).trim();
}

function font(): string {
  return `11px ${getComputedStyle(document.documentElement).getPropertyValue("--font").trim()}`;
}

/** Powers of ten from one bound to the other. */
function decades(from: number, to: number): number[] {
  const splits: number[] = [];
  for (let at = from; at <= to; at *= 10) splits.push(at);
  return splits;
}

function yScale({ scale }: ChartPlan): uPlot.Scale {
  if (scale.kind === "logarithmic") return { distr: 3, log: 10, range: [scale.from, scale.to] };
  return { range: (_plot, _min, max) => [0, Math.max(scale.least, (max ?? 0) * 1.15)] };
}

function yAxis(plan: ChartPlan): uPlot.Axis {
  const { scale, formatAxis } = plan;
  const fixed: uPlot.Axis =
    scale.kind === "logarithmic"
      ? { splits: () => decades(scale.from, scale.to), filter: (_plot, splits) => splits }
      : { space: 34 };
  return {
    ...commonAxis(),
    ...fixed,
    size: CHART_EDGE_PX.left,
    values: (_plot, splits) => splits.map((at) => formatAxis(at)),
  };
}

function commonAxis(): uPlot.Axis {
  return {
    stroke: () => themeColor("text-2"),
    font: font(),
    grid: { stroke: () => themeColor("line"), width: 1 },
    ticks: { show: false },
    gap: 6,
  };
}

function timeAxis(): uPlot.Axis {
  return {
    ...commonAxis(),
    size: TIME_AXIS_PX,
    space: 90,
    grid: { show: false },
    values: (plot, splits) => {
      const spanS = (plot.scales["x"]?.max ?? 0) - (plot.scales["x"]?.min ?? 0);
      const length = spanS > SECONDS_SHOWN_UNDER_S ? 5 : 8;
      return splits.map((at) => (isCutOff(plot, at) ? "" : formatTime(at * 1_000).slice(0, length)));
    },
  };
}

/** A label at the very edge would lose half of itself. */
function isCutOff(plot: uPlot, at: number): boolean {
  return plot.valToPos(at, "x") > plot.over.clientWidth - 14;
}

const MARK_COLORS = { exit: "bad", seal: "ok", late: "late" } as const;

function verticalLine(plot: uPlot, atMs: number): number | null {
  const x = plot.valToPos(atMs / 1_000, "x", true);
  const { left, width } = plot.bbox;
  return x < left || x > left + width ? null : x;
}

function drawOver(plot: uPlot, plan: ChartPlan, marks: readonly ChartMark[]): void {
  const { ctx, bbox } = plot;
  ctx.save();
  ctx.lineWidth = devicePixelRatio;
  ctx.setLineDash([3 * devicePixelRatio, 3 * devicePixelRatio]);
  for (const mark of marks) {
    const x = verticalLine(plot, mark.atMs);
    if (x === null) continue;
    ctx.strokeStyle = themeColor(MARK_COLORS[mark.kind]);
    ctx.beginPath();
    ctx.moveTo(x, bbox.top);
    ctx.lineTo(x, bbox.top + bbox.height);
    ctx.stroke();
  }
  if (plan.limit !== null) drawLimit(plot, plan.limit);
  ctx.restore();
}

function drawLimit(plot: uPlot, { at, name }: NonNullable<ChartPlan["limit"]>): void {
  const { ctx, bbox } = plot;
  const y = plot.valToPos(at, "y", true);
  if (y < bbox.top || y > bbox.top + bbox.height) return;
  const color = themeColor("warn");
  ctx.strokeStyle = color;
  ctx.setLineDash([6 * devicePixelRatio, 3 * devicePixelRatio]);
  ctx.beginPath();
  ctx.moveTo(bbox.left, y);
  ctx.lineTo(bbox.left + bbox.width, y);
  ctx.stroke();
  ctx.fillStyle = color;
  ctx.font = font().replace("11px", `${11 * devicePixelRatio}px`);
  ctx.textAlign = "left";
  ctx.textBaseline = "top";
  ctx.fillText(name, bbox.left + 6 * devicePixelRatio, y + 3 * devicePixelRatio);
}

function lineSeries({ name, color, isArea }: ChartLine): uPlot.Series {
  return {
    label: name,
    stroke: () => themeColor(color),
    width: 1.5,
    points: { show: false },
    ...(isArea === true ? { fill: () => themeColor("selection") } : {}),
  };
}

function cursorOptions({ onZoom }: ChartEvents): uPlot.Cursor {
  return {
    y: false,
    drag: { x: true, y: false, setScale: false, dist: 4 },
    sync: { key: SYNC_KEY, setSeries: false, scales: ["x", null] },
    bind: { dblclick: () => () => (onZoom(null), null) },
    points: { size: 6 },
  };
}

/** Options of a uPlot chart of this plan; colours are asked for at every drawing, so a redraw follows the theme. */
export function chartOptions(
  plan: ChartPlan,
  events: ChartEvents,
  size: { readonly width: number; readonly height: number },
): uPlot.Options {
  return {
    ...size,
    legend: { show: false },
    padding: [6, CHART_EDGE_PX.right, 0, 0],
    scales: { x: { time: true, auto: false }, y: yScale(plan) },
    axes: [timeAxis(), yAxis(plan)],
    series: [{}, ...plan.lines.map(lineSeries)],
    cursor: cursorOptions(events),
    hooks: {
      draw: [(plot) => drawOver(plot, plan, events.marks())],
      setSelect: [(plot) => zoomToSelection(plot, events)],
      setCursor: [(plot) => tellCursor(plot, events)],
    },
  };
}

function zoomToSelection(plot: uPlot, { onZoom }: ChartEvents): void {
  const { left, width } = plot.select;
  if (width <= 0) return;
  const at = (px: number): number => plot.posToVal(px, "x") * 1_000;
  const range = { fromMs: at(left), toMs: at(left + width) };
  plot.setSelect({ left: 0, top: 0, width: 0, height: 0 }, false);
  onZoom(range);
}

function tellCursor(plot: uPlot, { onCursor }: ChartEvents): void {
  const { idx, left } = plot.cursor;
  const isHere = plot.over.matches(":hover") || plot.root.parentElement?.matches(":focus") === true;
  onCursor(isHere && (left ?? -1) >= 0 ? (idx ?? null) : null, left ?? 0);
}
