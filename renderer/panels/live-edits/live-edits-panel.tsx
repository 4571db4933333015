import type { ReactElement } from "react";
import { Icon } from "#renderer/components/icon.tsx";
import { useLiveEdits } from "#renderer/stores/app-stores.ts";
import { ActiveFilters } from "./filter-bar.tsx";
import { FootBar } from "./foot-bar.tsx";
import { Inspector } from "./inspector.tsx";
import { RowList } from "./row-list.tsx";
import { PassedOverNote, ToolBar } from "./tool-bar.tsx";

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
  const isInspectorOpen = useLiveEdits((state) => state.isInspectorOpen);
  return (
    <div className="live-edits">
      <div className="list">
        <ToolBar />
        <ActiveFilters />
        <FetchError />
        <PassedOverNote />
        <RowList />
        <FootBar />
      </div>
      {isInspectorOpen ? <Inspector /> : null}
    </div>
  );
}
