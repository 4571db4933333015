import { useEffect, useMemo, useRef, useState, type ReactElement, type ReactNode } from "react";
import { useStore } from "zustand";
import type { ResultPage } from "#pipeline/protocol/query-messages.ts";
import { useAppStores } from "#renderer/stores/app-stores.ts";
import { formatCount } from "../format.ts";
import { Icon } from "../icon.tsx";
import { MenuButton, type MenuItem } from "../menu-button.tsx";
import { Sash } from "../sash.tsx";
import { CellInspector } from "./cell-inspector.tsx";
import { COPY_FORMATS } from "./copy-cells.ts";
import {
  chooseCopy,
  copyAll,
  copySelection,
  createCopyStatus,
  readCopyChoice,
  type CopyStatus,
} from "./grid-copy.ts";
import { GridTable } from "./grid-table.tsx";
import { GridView, rangeOf } from "./grid-view.ts";
import "./result-grid.css";

type Props = {
  readonly page: ResultPage;
  /** What the rows are, for a screen reader. */
  readonly label: string;
  /** How the page is looked at; given by callers that keep it while the grid is off screen. */
  readonly view?: GridView;
  /** What is known of the rows, at the left of the bar. */
  readonly facts?: ReactNode;
  /** Buttons at the right of the bar. */
  readonly actions?: ReactNode;
};

const INSPECTOR_PX = { min: 200, max: 900, first: 340 } as const;
const INSPECTOR_WIDTH = "grid.inspector";
const FORMAT_NAMES = { tsv: "TSV (tabs)", csv: "CSV", json: "JSON" } as const;

function CopyMenu({ view, status }: { readonly view: GridView; readonly status: CopyStatus }): ReactElement {
  const stores = useAppStores();
  const [choice, setChoice] = useState(() => readCopyChoice(stores));
  const choose = (change: Partial<typeof choice>): void => {
    chooseCopy(stores, change);
    setChoice(readCopyChoice(stores));
  };
  const items: readonly MenuItem[] = [
    { label: "Selected cells", keys: "Ctrl+C", run: () => void copySelection(stores, view, status) },
    ...COPY_FORMATS.map((format) => ({
      label: `All rows as ${FORMAT_NAMES[format]}`,
      run: () => void copyAll(stores, view, status, format),
    })),
    {
      label: "Names of columns first (all rows)",
      isFirstOfPart: true,
      isOn: choice.hasNames,
      run: () => choose({ hasNames: !choice.hasNames }),
    },
    {
      label: "For a spreadsheet: formulas as text",
      isOn: choice.isForSpreadsheet,
      run: () => choose({ isForSpreadsheet: !choice.isForSpreadsheet }),
    },
  ];
  return (
    <MenuButton title="Copy rows" items={items}>
      <Icon name="copy" /> Copy
    </MenuButton>
  );
}

/** What is found, selected and was copied; a reader hears the last. */
function Counts({ view, status }: { readonly view: GridView; readonly status: CopyStatus }): ReactElement {
  const { page, order, filter, sort, anchor, focus } = useStore(view.store);
  const copied = useStore(status, ({ text }) => text);
  const { fromRow, toRow, fromColumn, toColumn } = rangeOf({ anchor, focus });
  const selected = order.length === 0 ? 0 : (toRow - fromRow + 1) * (toColumn - fromColumn + 1);
  const cut = page.cut?.length ?? 0;
  useEffect(() => status.setState({ text: "" }), [status, anchor, focus, order]);
  const notes = [
    filter === "" ? "" : `${formatCount(order.length)} of ${formatCount(page.rows.length)} match`,
    filter !== "" && cut > 0 ? `${formatCount(cut)} cut cells are searched at their beginning` : "",
    sort === null ? "" : `ordered here by ${page.columns[sort.column]?.name ?? ""}`,
    selected > 1 ? `${formatCount(selected)} cells selected` : "",
  ].filter((note) => note !== "");
  return (
    <span className="grid-notes">
      {notes.join(" · ")}
      <span role="status" className="copied">
        {copied}
      </span>
    </span>
  );
}

type BarProps = Pick<Props, "facts" | "actions"> & {
  readonly view: GridView;
  readonly status: CopyStatus;
  readonly filterId: string;
  readonly onLeave: () => void;
};

function GridBar({ view, status, filterId, onLeave, facts, actions }: BarProps): ReactElement {
  const filter = useStore(view.store, (state) => state.filter);
  return (
    <div className="grid-bar">
      {facts}
      <Counts view={view} status={status} />
      <span className="spacer" />
      <label className="grid-filter">
        <Icon name="filter" />
        <input
          id={filterId}
          type="text"
          placeholder="Filter: words, > 100, name = x"
          aria-label="Filter the rows that are here"
          title="Words that must occur, or a comparison: > 100, edits >= 5, title = null (/)"
          spellCheck={false}
          value={filter}
          onChange={(event) => view.setFilter(event.target.value)}
          onKeyDown={(event) => {
            if (event.key !== "Escape" && event.key !== "Enter") return;
            if (event.key === "Escape") view.setFilter("");
            event.preventDefault();
            event.stopPropagation();
            onLeave();
          }}
        />
      </label>
      <CopyMenu view={view} status={status} />
      {actions}
    </div>
  );
}

/** The view that was given, or one of the grid's own that follows the page. */
function useView(page: ResultPage, given: GridView | undefined): GridView {
  const { memory } = useAppStores();
  const [own] = useState(() => given ?? new GridView(page, memory));
  const view = given ?? own;
  useEffect(() => view.takePage(page), [view, page]);
  return view;
}

function NoRows({ view }: { readonly view: GridView }): ReactElement | null {
  const { page, order } = useStore(view.store);
  if (order.length > 0) return null;
  return <p className="grid-empty">{page.rows.length === 0 ? "No rows." : "No row matches the filter."}</p>;
}

/**
 * Rows of a result: typed as the database typed them, ordered and filtered here, copied and looked at cell by cell. Everything
 * works on the rows of the page; what the page leaves out is the caller's to say (`facts`).
 */
export function ResultGrid({ page, label, view: given, facts, actions }: Props): ReactElement {
  const stores = useAppStores();
  const view = useView(page, given);
  const status = useMemo(() => createCopyStatus(), []);
  const root = useRef<HTMLDivElement>(null);
  const isInspecting = useStore(view.store, (state) => state.isInspecting);
  const [inspectorPx, setInspectorPx] = useState(() => {
    const saved = stores.memory.get(INSPECTOR_WIDTH);
    return typeof saved === "number" ? saved : INSPECTOR_PX.first;
  });
  const resize = (px: number): void => {
    setInspectorPx(px);
    stores.memory.set(INSPECTOR_WIDTH, px);
  };
  const filterId = `${label.replaceAll(/\W/gu, "-")}-filter`;
  const focusGrid = (): void => root.current?.querySelector<HTMLElement>("[role=grid]")?.focus();
  const onCopy = (): void => void copySelection(stores, view, status);
  return (
    <div
      className="result-grid"
      ref={root}
      onKeyDown={(event) => {
        if (event.key !== "Escape" || !isInspecting) return;
        event.preventDefault();
        event.stopPropagation();
        view.inspect(false);
        focusGrid();
      }}
    >
      <GridBar
        view={view}
        status={status}
        filterId={filterId}
        onLeave={focusGrid}
        facts={facts}
        actions={actions}
      />
      <div className="grid-parts">
        <div className="grid-place">
          <GridTable
            view={view}
            label={label}
            onCopy={onCopy}
            onFilter={() => document.getElementById(filterId)?.focus()}
          />
          <NoRows view={view} />
        </div>
        {isInspecting ? (
          <>
            <Sash
              label="Width of the cell inspector"
              orientation="vertical"
              size={inspectorPx}
              min={INSPECTOR_PX.min}
              max={INSPECTOR_PX.max}
              sign={-1}
              onResize={resize}
              onReset={() => resize(INSPECTOR_PX.first)}
            />
            <div className="inspector-place" style={{ width: inspectorPx }}>
              <CellInspector view={view} onCopy={onCopy} />
            </div>
          </>
        ) : null}
      </div>
    </div>
  );
}
