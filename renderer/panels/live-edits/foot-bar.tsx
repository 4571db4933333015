import type { ReactElement } from "react";
import { formatCount } from "#renderer/components/format.ts";
import { useLiveEdits } from "#renderer/stores/app-stores.ts";
import { CommandButton } from "#renderer/workbench/command-button.tsx";
import { visibleRows } from "./live-edits-store.ts";
import { isFiltering } from "./live-filter.ts";
import { WINDOW_ROWS } from "./live-window.ts";

function Count(): ReactElement {
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

/** Below the rows: how many there are, of which offsets, and the way further back where filtered rows do not fill the list. */
export function FootBar(): ReactElement {
  const { coveredFrom, coveredTo } = useLiveEdits((state) => state.window);
  const isFiltered = useLiveEdits((state) => isFiltering(state.filter));
  return (
    <div className="foot-bar">
      <Count />
      {coveredTo === 0 ? null : (
        <span className="offsets">
          offsets {formatCount(coveredFrom)} to {formatCount(coveredTo)}
        </span>
      )}
      <span className="spacer" />
      {isFiltered && coveredFrom > 1 ? (
        <CommandButton command="live-edits.older" className="link" isNamedByText>
          Load older rows
        </CommandButton>
      ) : null}
    </div>
  );
}
