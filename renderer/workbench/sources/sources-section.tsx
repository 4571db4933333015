import type { ReactElement } from "react";
import { useStore } from "zustand";
import { Icon } from "#renderer/components/icon.tsx";
import { useAppStores, useStatus } from "#renderer/stores/app-stores.ts";
import { runCommand } from "../commands.ts";
import { SourceDetails } from "./source-details.tsx";
import { type SourceRow, sourceRows } from "./source-rows.ts";

function Row({ row }: { readonly row: SourceRow }): ReactElement {
  const stores = useAppStores();
  const isSwitching = useStore(stores.sources.store, (state) => state.isSwitching);
  const { opens } = row;
  const open = (): void => {
    if (opens === null) return;
    if ("path" in opens) void stores.sources.openRecording(opens.path);
    else runCommand(stores, opens.command);
  };
  const isRecording = opens !== null && "path" in opens;
  return (
    <div className="source-row">
      <button
        type="button"
        className="tree-row"
        aria-current={row.isActive ? "true" : undefined}
        title={row.hint}
        disabled={isSwitching && !row.isActive}
        onClick={open}
      >
        <span className={`dot tone-${row.tone}`} />
        <span className="name">{row.name}</span>
        <span className="value">{isSwitching && row.isActive ? "switching …" : row.value}</span>
      </button>
      {isRecording ? (
        <button
          type="button"
          className="icon-button"
          title="Take it from the list; file and data stay"
          aria-label={`Take ${row.name} from the list`}
          onClick={() => stores.sources.forget(opens.path)}
        >
          <Icon name="close" />
        </button>
      ) : null}
    </div>
  );
}

/** The sources: the one that runs with what it last said, the others to switch to, recordings opened before. */
export function SourcesSection(): ReactElement {
  const { sources } = useAppStores();
  const status = useStatus((state) => state.status);
  const recent = useStore(sources.store, (state) => state.recent);
  const [active, ...others] = status === null ? [] : sourceRows(status, recent);
  return (
    <section aria-label="Sources">
      <h2>Sources</h2>
      {active === undefined || status === null ? (
        <p className="empty">Starting …</p>
      ) : (
        <>
          <Row row={active} />
          <SourceDetails status={status} />
          {others.map((row) => (
            <Row key={row.key} row={row} />
          ))}
        </>
      )}
    </section>
  );
}
