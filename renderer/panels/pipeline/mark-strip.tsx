import type { CSSProperties, ReactElement } from "react";
import { formatCount, formatDuration, formatTime } from "#renderer/components/format.ts";
import { Icon } from "#renderer/components/icon.tsx";
import { useAppStores } from "#renderer/stores/app-stores.ts";
import type { ChartMark } from "./chart-marks.ts";
import { CHART_EDGE_PX } from "./chart-options.ts";
import type { TimeRange } from "./pipeline-history.ts";

const LOOKS = {
  exit: { icon: "debug-stop", tone: "bad" },
  seal: { icon: "archive", tone: "ok" },
  late: { icon: "history", tone: "late" },
} as const;

/** What happened, in a line. */
export function describeMark(mark: ChartMark): string {
  const time = formatTime(mark.atMs);
  if (mark.kind === "exit") {
    const back = mark.backAtMs === null ? "away" : `back after ${formatDuration(mark.backAtMs - mark.atMs)}`;
    return `${time} ${mark.how} ${mark.worker}, ${back}`;
  }
  const rows = formatCount(mark.count);
  const what = mark.kind === "seal" ? `sealed ${rows} rows` : `burst of ${rows} late arrivals`;
  return `${time} ${what}, snapshot #${formatCount(mark.snapshotId)}`;
}

function Flag({ mark, range }: { readonly mark: ChartMark; readonly range: TimeRange }): ReactElement {
  const { pipelineRoom } = useAppStores();
  const { icon, tone } = LOOKS[mark.kind];
  const text = describeMark(mark);
  const share = (mark.atMs - range.fromMs) / (range.toMs - range.fromMs);
  const style: CSSProperties = { left: `${share * 100}%` };
  return (
    <button
      type="button"
      className={`mark-flag tone-${tone}`}
      data-mark={mark.kind}
      title={text}
      aria-label={text}
      style={style}
      onClick={() => pipelineRoom.openMark(mark)}
    >
      <Icon name={icon} />
    </button>
  );
}

/** The marks of a chart as buttons above it, each where its line is. */
export function MarkStrip({
  marks,
  range,
}: {
  readonly marks: readonly ChartMark[];
  readonly range: TimeRange;
}): ReactElement {
  const shown = marks.filter(({ atMs }) => atMs >= range.fromMs && atMs <= range.toMs);
  const style: CSSProperties = { marginLeft: CHART_EDGE_PX.left, marginRight: CHART_EDGE_PX.right };
  return (
    <div className="mark-strip" role="group" aria-label="What happened" style={style}>
      {shown.map((mark) => (
        <Flag key={mark.key} mark={mark} range={range} />
      ))}
    </div>
  );
}
