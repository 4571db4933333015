import type { ReactElement } from "react";
import type { AppStatus } from "#main/contract/app-status.ts";
import { useLiveEdits, useStatus } from "#renderer/stores/app-stores.ts";
import { CommandButton } from "#renderer/workbench/command-button.tsx";
import { describeSource } from "#renderer/workbench/status-items.ts";

function waitingFor(status: AppStatus | null): string {
  if (status === null) return "Starting …";
  const { word } = describeSource(status);
  const isBehind = (status.ingest?.head ?? 0) > (status.pipeline?.checkpoint ?? 0);
  if (isBehind) return "Records are in the log; the first commit is under way.";
  return `The source is ${word}.`;
}

/** What stands in place of the rows while there are none; never beside rows. */
export function NoRows(): ReactElement {
  const text = useStatus(({ status }) => waitingFor(status));
  const hasRows = useLiveEdits((state) => state.window.rows.length > 0);
  if (hasRows) {
    return (
      <>
        <p className="lead">No row in view matches the filters.</p>
        <CommandButton command="live-edits.clear-filters" isNamedByText>
          Clear all filters
        </CommandButton>
      </>
    );
  }
  return (
    <>
      <p className="lead">Edits appear here as they are committed to the lake.</p>
      <p>{text}</p>
    </>
  );
}
