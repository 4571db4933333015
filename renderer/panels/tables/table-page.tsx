import type { KeyboardEvent, ReactElement } from "react";
import { useStore } from "zustand";
import { formatBytes, formatCount } from "#renderer/components/format.ts";
import { Icon } from "#renderer/components/icon.tsx";
import { ResultGrid } from "#renderer/components/result-grid/result-grid.tsx";
import { useAppStores } from "#renderer/stores/app-stores.ts";
import { CommandButton } from "#renderer/workbench/command-button.tsx";
import { SnapshotList } from "./snapshot-list.tsx";
import { describeKind, describeTable } from "./table-descriptions.ts";
import { PREVIEW_ROWS, SECTIONS, tableName, type ListedTable, type Section } from "./tables-room.ts";

const TITLES: Readonly<Record<Section, string>> = {
  columns: "Columns",
  preview: "Newest rows",
  snapshots: "Snapshots",
};

function Facts({ table }: { readonly table: ListedTable }): ReactElement {
  const facts = [
    { name: "rows", value: formatCount(table.rows), hint: "at the snapshot that is read" },
    {
      name: "hot",
      value: formatCount(table.hotRows),
      hint: "rows in the catalog that no seal has written to a file yet",
    },
    { name: "sealed files", value: formatCount(table.files), hint: "Parquet files that never change" },
    { name: "size of files", value: formatBytes(table.fileBytes), hint: "Parquet, compressed" },
    ...(table.kind === "window"
      ? [
          {
            name: "open rows",
            value: formatCount(table.openRows),
            hint: "windows that wait for a newer event; they may still change",
          },
        ]
      : []),
  ];
  return (
    <dl className="table-facts">
      {facts.map(({ name, value, hint }) => (
        <div key={name} title={hint}>
          <dt>{name}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  );
}

function Columns({ table }: { readonly table: ListedTable }): ReactElement {
  return (
    <div className="columns" tabIndex={0} role="region" aria-label="Columns">
      <table>
        <thead>
          <tr>
            <th scope="col">column</th>
            <th scope="col">type</th>
            <th scope="col">may be missing</th>
          </tr>
        </thead>
        <tbody>
          {table.columns.map(({ name, type, nullable }) => (
            <tr key={name}>
              <td>{name}</td>
              <td>{type}</td>
              <td>{nullable ? "yes" : "no"}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

function Preview({ table }: { readonly table: ListedTable }): ReactElement {
  const { tablesRoom } = useAppStores();
  const preview = useStore(tablesRoom.store, (state) => state.preview);
  if (preview === null || preview.table !== tableName(table)) return <p className="empty">Reading …</p>;
  if (preview.page.rows.length === 0)
    return <p className="empty">No rows at snapshot {preview.snapshotId}.</p>;
  const rows = table.rows > PREVIEW_ROWS ? `newest ${PREVIEW_ROWS} of ${formatCount(table.rows)}` : "all";
  const facts = `${rows} rows · snapshot #${formatCount(preview.snapshotId)}`;
  return (
    <ResultGrid
      key={preview.table}
      page={preview.page}
      label={`Rows of ${preview.table}`}
      facts={<span className="facts-line">{facts}</span>}
    />
  );
}

function Sections(): ReactElement {
  const { tablesRoom } = useAppStores();
  const open = useStore(tablesRoom.store, (state) => state.section);
  const onKeyDown = (event: KeyboardEvent): void => {
    const by = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
    if (by === undefined) return;
    const next = SECTIONS.at((SECTIONS.indexOf(open) + by) % SECTIONS.length) ?? open;
    tablesRoom.showSection(next);
    document.getElementById(`table-section-${next}`)?.focus();
    event.preventDefault();
    event.stopPropagation();
  };
  return (
    <div className="section-tabs" role="tablist" aria-label="Parts of the table" onKeyDown={onKeyDown}>
      {SECTIONS.map((section) => (
        <button
          key={section}
          id={`table-section-${section}`}
          type="button"
          role="tab"
          aria-selected={section === open}
          tabIndex={section === open ? 0 : -1}
          onClick={() => tablesRoom.showSection(section)}
        >
          {TITLES[section]}
        </button>
      ))}
    </div>
  );
}

/** One table: what it is, how large, its columns, its newest rows, and the snapshots it can be read at. */
export function TablePage({ table }: { readonly table: ListedTable }): ReactElement {
  const { tablesRoom } = useAppStores();
  const section = useStore(tablesRoom.store, (state) => state.section);
  const isLoading = useStore(tablesRoom.store, (state) => state.isLoading);
  const name = tableName(table);
  return (
    <div className="table-page">
      <header>
        <h1 className="selectable">{name}</h1>
        <span className="kind">{describeKind(table.kind)}</span>
        <span className="spacer" />
        <CommandButton command="tables.open-in-sql" isNamedByText>
          <Icon name="terminal" /> Open in SQL
        </CommandButton>
        <CommandButton command="tables.export-parquet" isNamedByText>
          <Icon name="desktop-download" /> Parquet
        </CommandButton>
        <CommandButton command="tables.export-csv" isNamedByText>
          CSV
        </CommandButton>
        <CommandButton command="tables.export-ndjson" isNamedByText>
          NDJSON
        </CommandButton>
      </header>
      <p className="quiet">{describeTable(name)}</p>
      <Facts table={table} />
      <Sections />
      <div
        className="section"
        role="tabpanel"
        aria-labelledby={`table-section-${section}`}
        data-loading={isLoading}
      >
        {section === "columns" ? <Columns table={table} /> : null}
        {section === "preview" ? <Preview table={table} /> : null}
        {section === "snapshots" ? <SnapshotList /> : null}
      </div>
    </div>
  );
}
