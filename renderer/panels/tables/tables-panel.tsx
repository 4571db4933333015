import { useEffect, type ReactElement } from "react";
import { useStore } from "zustand";
import { ErrorCard } from "#renderer/components/error-card.tsx";
import { formatCount } from "#renderer/components/format.ts";
import { Icon } from "#renderer/components/icon.tsx";
import { useAppStores } from "#renderer/stores/app-stores.ts";
import { CommandButton } from "#renderer/workbench/command-button.tsx";
import { TablePage } from "./table-page.tsx";
import { TableTree } from "./table-tree.tsx";
import { tableName } from "./tables-room.ts";

function SnapshotBar(): ReactElement {
  const { tablesRoom } = useAppStores();
  const asOf = useStore(tablesRoom.store, (state) => state.asOf);
  const snapshotId = useStore(tablesRoom.store, (state) => state.snapshotId);
  return (
    <div className="snapshot-bar" data-as-of={asOf !== null}>
      <Icon name={asOf === null ? "git-commit" : "history"} />
      <span>
        {asOf === null ? "Newest snapshot" : "As of snapshot"}{" "}
        {snapshotId === null ? "—" : `#${formatCount(snapshotId)}`}
      </span>
      {asOf === null ? null : (
        <CommandButton command="tables.newest" isNamedByText>
          Back to the newest
        </CommandButton>
      )}
      <span className="spacer" />
      <CommandButton command="export.gold-parquet" isNamedByText>
        <Icon name="desktop-download" /> Export the gold tables
      </CommandButton>
      <CommandButton command="tables.refresh" className="icon-button">
        <Icon name="refresh" />
      </CommandButton>
    </div>
  );
}

/** The tables of the lake with their sizes, rows and snapshots. */
export function TablesPanel(): ReactElement {
  const { tablesRoom } = useAppStores();
  const { tables, chosen, error, isLoading, asOf } = useStore(tablesRoom.store);
  useEffect(() => {
    tablesRoom.open();
    return () => tablesRoom.close();
  }, [tablesRoom]);
  const open = tables.find((table) => tableName(table) === chosen);
  const remedy =
    asOf === null
      ? { label: "Try again", run: () => tablesRoom.refresh() }
      : { label: "Read the newest snapshot", run: () => tablesRoom.readAsOf(null) };
  return (
    <div className="tables-room">
      <SnapshotBar />
      {error === null ? null : (
        <ErrorCard title="The tables cannot be read" detail={error.message} action={remedy} />
      )}
      {tables.length === 0 && error === null ? (
        <p className="empty">{isLoading ? "Reading …" : "No tables yet: the first commit makes them."}</p>
      ) : null}
      {tables.length === 0 ? null : (
        <div className="tables-halves">
          <TableTree />
          {open === undefined ? <p className="empty">Choose a table.</p> : <TablePage table={open} />}
        </div>
      )}
    </div>
  );
}
