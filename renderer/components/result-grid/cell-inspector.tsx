import { useEffect, useMemo, useState, type ReactElement } from "react";
import { useStore } from "zustand";
import type { CutCell, ResultColumn, ResultPage, WireCell } from "#pipeline/protocol/query-messages.ts";
import type { WireError } from "#storage/model/errors.ts";
import { useAppStores } from "#renderer/stores/app-stores.ts";
import { FeedText } from "../feed-text.tsx";
import { formatBytes, formatCount } from "../format.ts";
import { Icon } from "../icon.tsx";
import { JsonTree } from "../json-tree/json-tree.tsx";
import { parseJsonText, type JsonNode } from "../json-tree/parse-json-text.ts";
import { columnKind } from "./column-types.ts";
import type { GridView } from "./grid-view.ts";
import { parseNestedText } from "./parse-nested-text.ts";
import { cutCellsOf, wholeRows } from "./whole-cells.ts";

/** Text painted at most: a cell may have megabytes, the page should not. */
const PAINTED_CHARS = 50_000;
/** Larger texts get no tree: building it would cost seconds. */
const TREE_CHARS = 2_000_000;

type Whole = { readonly key: string; readonly text: string | null; readonly error: WireError | null };

/** The keyboard's cell: its place in the page, and what the page has of it. */
type Inspected = {
  readonly row: number;
  readonly column: number;
  readonly cell: WireCell;
  /** Set where the page has the beginning only. */
  readonly cut: CutCell | undefined;
};

function inspectedOf(view: GridView, page: ResultPage): Inspected {
  const { row, column, cell } = view.focused() ?? { row: -1, column: -1, cell: null };
  return { row, column, cell, cut: cutCellsOf(page, row)?.get(column) };
}

/** The whole text of a cell; its beginning while the rest is on its way. Null where there is no value. */
function useWholeText(
  page: ResultPage,
  { row, column, cell, cut }: Inspected,
): { readonly text: string | null; readonly error: WireError | null } {
  const { bridge } = useAppStores();
  const [whole, setWhole] = useState<Whole | null>(null);
  const key = cut === undefined ? "" : `${page.keptId} ${row} ${column}`;
  useEffect(() => {
    if (key === "") return;
    let isWanted = true;
    void wholeRows(bridge, page, [row], [column]).then((answer) => {
      if (!isWanted) return;
      const text = answer.ok ? String(answer.value[0]?.[0] ?? "") : null;
      setWhole({ key, text, error: answer.ok ? null : answer.error });
    });
    return () => {
      isWanted = false;
    };
  }, [bridge, page, key, row, column]);
  const known = whole?.key === key ? whole : null;
  const beginning = cell === null ? null : String(cell);
  return { text: known?.text ?? beginning, error: known?.error ?? null };
}

function treeOf({ type }: ResultColumn, text: string): JsonNode | null {
  if (text.length > TREE_CHARS) return null;
  if (columnKind(type) === "nested") return parseNestedText(text);
  return /^\s*[[{]/u.test(text) ? parseJsonText(text) : null;
}

function Body({ column, text }: { readonly column: ResultColumn; readonly text: string }): ReactElement {
  const tree = useMemo(() => treeOf(column, text), [column, text]);
  const [isTreeWanted, setIsTreeWanted] = useState(true);
  const isTree = tree !== null && isTreeWanted;
  return (
    <>
      {tree === null ? null : (
        <div className="cell-views" role="group" aria-label="Shown as">
          <button type="button" aria-pressed={isTree} onClick={() => setIsTreeWanted(true)}>
            Tree
          </button>
          <button type="button" aria-pressed={!isTree} onClick={() => setIsTreeWanted(false)}>
            Text
          </button>
        </div>
      )}
      <div className="cell-whole selectable" tabIndex={0} role="region" aria-label="Whole cell">
        {isTree ? <JsonTree node={tree} /> : null}
        {isTree ? null : (
          <pre>
            <FeedText text={text} limit={PAINTED_CHARS} />
          </pre>
        )}
        {!isTree && text.length > PAINTED_CHARS ? (
          <p className="quiet">
            The first {formatCount(PAINTED_CHARS)} characters of {formatCount(text.length)}. Copy takes all.
          </p>
        ) : null}
      </div>
    </>
  );
}

function Head({ view, column, onCopy }: PartProps & { readonly onCopy: () => void }): ReactElement {
  return (
    <div className="cell-head">
      <div className="cell-title">
        <FeedText className="cell-name" text={column.name} />
        <small>{column.type}</small>
      </div>
      <button
        type="button"
        className="icon-button"
        title="Copy the cell (Ctrl+C)"
        aria-label="Copy the cell"
        onClick={onCopy}
      >
        <Icon name="copy" />
      </button>
      <button
        type="button"
        className="icon-button"
        title="Close (Esc)"
        aria-label="Close the cell"
        onClick={() => view.inspect(false)}
      >
        <Icon name="close" />
      </button>
    </div>
  );
}

type PartProps = { readonly view: GridView; readonly column: ResultColumn };

function Content({ view, column }: PartProps): ReactElement {
  const { page, focus } = useStore(view.store);
  const inspected = inspectedOf(view, page);
  const { text, error } = useWholeText(page, inspected);
  const bytes = useMemo(() => new TextEncoder().encode(text ?? "").length, [text]);
  if (inspected.row < 0) return <p className="empty">No cell.</p>;
  return (
    <>
      <p className="quiet">
        Row {formatCount(focus.row + 1)} · {formatBytes(inspected.cut?.bytes ?? bytes)}
      </p>
      {error === null ? null : (
        <p className="tone-bad" role="alert">
          <Icon name="error" /> {error.message}
        </p>
      )}
      {text === null ? <p className="empty">NULL: there is no value.</p> : null}
      {text === "" ? <p className="empty">An empty text.</p> : null}
      {text === null || text === "" ? null : <Body column={column} text={text} />}
    </>
  );
}

/** The keyboard's cell, whole: as a tree where it has parts. */
export function CellInspector({ view, onCopy }: { view: GridView; onCopy: () => void }): ReactElement {
  const column = useStore(view.store, ({ page, focus }) => page.columns[focus.column]);
  return (
    <aside className="cell-inspector" aria-label="Cell">
      {column === undefined ? null : (
        <>
          <Head view={view} column={column} onCopy={onCopy} />
          <Content view={view} column={column} />
        </>
      )}
    </aside>
  );
}
