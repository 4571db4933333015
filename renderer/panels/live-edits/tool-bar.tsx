import type { ReactElement } from "react";
import { FilterInput } from "#renderer/components/filter-input.tsx";
import { formatCount } from "#renderer/components/format.ts";
import { Icon } from "#renderer/components/icon.tsx";
import { useAppStores, useLiveEdits } from "#renderer/stores/app-stores.ts";
import { CommandButton } from "#renderer/workbench/command-button.tsx";
import { FILTER_INPUT_ID } from "./live-edits-commands.ts";
import { visibleRows } from "./live-edits-store.ts";
import { waitingRows, WINDOW_ROWS } from "./live-window.ts";

function Filter(): ReactElement {
  const { liveEdits } = useAppStores();
  return (
    <FilterInput
      id={FILTER_INPUT_ID}
      placeholder="Filter by title, user, wiki, kind, comment — press /"
      value={useLiveEdits((state) => state.filter)}
      onChange={(filter) => liveEdits.setFilter(filter)}
    />
  );
}

function HeldRows(): ReactElement {
  const text = useLiveEdits((state) => {
    const held = formatCount(state.window.rows.length);
    if (state.filter.trim() === "") return `${held} rows in the window`;
    return `${formatCount(visibleRows(state).length)} of ${held} rows match`;
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
        <span className="waiting" role="status">
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
      <Filter />
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
