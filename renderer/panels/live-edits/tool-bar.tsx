import type { ReactElement } from "react";
import { formatCount } from "#renderer/components/format.ts";
import { Icon } from "#renderer/components/icon.tsx";
import { useLiveEdits } from "#renderer/stores/app-stores.ts";
import { CommandButton } from "#renderer/workbench/command-button.tsx";
import { FilterBar } from "./filter-bar.tsx";
import { isFiltering } from "./live-filter.ts";
import { visibleRows } from "./live-edits-store.ts";
import { waitingRows, WINDOW_ROWS } from "./live-window.ts";

function HeldRows(): ReactElement {
  const text = useLiveEdits((state) => {
    const held = formatCount(state.window.rows.length);
    if (!isFiltering(state.filter)) return `${held} rows`;
    return `${formatCount(visibleRows(state).length)} of ${held} shown`;
  });
  const hint = `the window keeps ${formatCount(WINDOW_ROWS)} rows; scroll down for older ones`;
  return (
    <span className="held" title={hint}>
      {text}
    </span>
  );
}

function PauseButton(): ReactElement {
  const isHeld = useLiveEdits((state) => state.window.hold !== null);
  const waiting = useLiveEdits((state) => {
    const { count, exact } = waitingRows(state.window);
    return `${exact ? "" : "up to "}${formatCount(count)} rows wait`;
  });
  return (
    <>
      {isHeld ? (
        <span className="waiting" role="status" title="rows committed since the pause, whatever the filters">
          Paused · {waiting}
        </span>
      ) : null}
      <CommandButton command="live-edits.toggle-pause" className={isHeld ? "primary" : ""}>
        <Icon name={isHeld ? "debug-continue" : "debug-pause"} />
        {isHeld ? "Resume" : "Pause"}
      </CommandButton>
    </>
  );
}

/** Filter, how much is in view, pause and what waits. */
export function ToolBar(): ReactElement {
  return (
    <div className="tool-bar" role="toolbar" aria-label="Live edits">
      <FilterBar />
      <HeldRows />
      <span className="spacer" />
      <PauseButton />
    </div>
  );
}

/** Says which offsets were passed over because more waited than the window keeps. */
export function PassedOverNote(): ReactElement | null {
  const passed = useLiveEdits((state) => state.window.passedOver);
  if (passed === null) return null;
  const count = formatCount(passed.toOffset - passed.fromOffset + 1);
  const why = passed.afterHold ? "More waited than the window keeps" : "The stream is faster than the window";
  return (
    <p className="passed-over" role="status">
      {why}: {count} records were passed over (offsets {formatCount(passed.fromOffset)} to{" "}
      {formatCount(passed.toOffset)}). They are in the lake; scroll down to load them.
    </p>
  );
}
