import type { ReactElement } from "react";
import type { AppStatus } from "#main/contract/app-status.ts";
import { Icon } from "#renderer/components/icon.tsx";
import { useLiveEdits, useStatus } from "#renderer/stores/app-stores.ts";
import { describeSource } from "#renderer/workbench/status-items.ts";
import { CommandButton } from "#renderer/workbench/command-button.tsx";
import { Inspector } from "./inspector.tsx";
import { visibleRows } from "./live-edits-store.ts";
import { RowList } from "./row-list.tsx";
import { PassedOverNote, ToolBar } from "./tool-bar.tsx";

const COLUMNS = ["time", "wiki", "kind", "title", "user", "± bytes", "marks"] as const;

function waitingFor(status: AppStatus | null): string {
  if (status === null) return "Starting …";
  const { word } = describeSource(status);
  const isBehind = (status.ingest?.head ?? 0) > (status.pipeline?.checkpoint ?? 0);
  if (isBehind) return "Records are in the log; the first commit is under way.";
  return `The source is ${word}.`;
}

/** What stands in place of the rows while there are none; never beside rows. */
function NoRows(): ReactElement {
  const text = useStatus(({ status }) => waitingFor(status));
  const filter = useLiveEdits((state) => state.filter);
  const hasRows = useLiveEdits((state) => state.window.rows.length > 0);
  if (hasRows) {
    return (
      <div className="no-rows">
        <p>No row in view matches “{filter}”.</p>
        <CommandButton command="live-edits.older">Load older rows</CommandButton>
      </div>
    );
  }
  return (
    <div className="no-rows">
      <p className="lead">Edits appear here as they are committed to the lake.</p>
      <p>{text}</p>
    </div>
  );
}

function FetchError(): ReactElement | null {
  const error = useLiveEdits((state) => state.error);
  if (error === null) return null;
  return (
    <p className="fetch-error" role="status">
      <Icon name="warning" /> Rows could not be read ({error.code}): {error.message}. It is tried again by
      itself.
    </p>
  );
}

/** The stream as it is committed: newest first, to pause, filter and look into. */
export function LiveEditsPanel(): ReactElement {
  const isEmpty = useLiveEdits((state) => visibleRows(state).length === 0);
  const isInspectorOpen = useLiveEdits((state) => state.isInspectorOpen);
  return (
    <div className="live-edits">
      <div className="list">
        <ToolBar />
        <FetchError />
        <PassedOverNote />
        <div className="table" role="table" aria-label="Live edits">
          <div className="row head" role="row">
            {COLUMNS.map((name) => (
              <span key={name} role="columnheader" className={name === "± bytes" ? "bytes" : undefined}>
                {name}
              </span>
            ))}
          </div>
          {isEmpty ? <NoRows /> : <RowList />}
        </div>
      </div>
      {isInspectorOpen ? <Inspector /> : null}
    </div>
  );
}
