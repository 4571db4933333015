import type { ReactElement } from "react";
import { formatCount } from "#renderer/components/format.ts";
import { Icon } from "#renderer/components/icon.tsx";
import { useLiveEdits } from "#renderer/stores/app-stores.ts";
import { CommandButton } from "#renderer/workbench/command-button.tsx";
import { FilterBar } from "./filter-bar.tsx";
import { waitingRows } from "./live-window.ts";

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

/** Filter, pause and what waits; one line whatever it says, so that a pause moves no row. */
export function ToolBar(): ReactElement {
  return (
    <div className="tool-bar one-line" role="toolbar" aria-label="Live edits">
      <FilterBar />
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
