import { useEffect, useState, type ReactElement } from "react";
import { useStore } from "zustand";
import { formatCount, formatDuration } from "#renderer/components/format.ts";
import { Icon } from "#renderer/components/icon.tsx";
import { MenuButton } from "#renderer/components/menu-button.tsx";
import { ResultGrid } from "#renderer/components/result-grid/result-grid.tsx";
import { Sash } from "#renderer/components/sash.tsx";
import { useAppStores } from "#renderer/stores/app-stores.ts";
import { DraftTabs } from "./draft-tabs.tsx";
import type { DraftResult } from "./draft.ts";
import { SqlBar } from "./sql-bar.tsx";
import { SqlEditor } from "./sql-editor.tsx";
import { SqlMessages } from "./sql-messages.tsx";
import { activeDraft, type SqlRoom } from "./sql-room.ts";
import "./sql.css";

const EDITOR_PX = { min: 60, max: 1_200, first: 240 } as const;
const EDITOR_HEIGHT = "sql.editor-height";

/** `first 10,000 of 1,284,906 rows · snapshot #27,310 · 0.18 s`: what is not here is never passed off as all. */
function describe({ page, total, truncated, snapshotId, elapsedMs }: DraftResult): string {
  const rows = truncated
    ? `first ${formatCount(page.rows.length)} of ${formatCount(total)} rows`
    : `${formatCount(total)} ${total === 1 ? "row" : "rows"}`;
  return `${rows} · snapshot #${formatCount(snapshotId)} · ${formatDuration(elapsedMs)}`;
}

/** What is known of the rows; after a run that gave none they are those of the run before. */
function Facts({ result, isOld }: { readonly result: DraftResult; readonly isOld: boolean }): ReactElement {
  return (
    <span className="facts-line">
      {isOld ? <span className="old-rows">run before</span> : null}
      {describe(result)}
    </span>
  );
}

function SaveMenu({ room }: { readonly room: SqlRoom }): ReactElement {
  const formats = [
    ["parquet", "Parquet"],
    ["csv", "CSV"],
    ["ndjson", "NDJSON"],
  ] as const;
  return (
    <MenuButton
      title="Save all rows of the result, also those that are not shown"
      items={formats.map(([format, name]) => ({
        label: `All rows as ${name} …`,
        run: () => void room.save(format),
      }))}
    >
      <Icon name="desktop-download" /> Save
    </MenuButton>
  );
}

function Result({ room }: { readonly room: SqlRoom }): ReactElement {
  const result = useStore(room.store, (state) => activeDraft(state).result);
  const isRunning = useStore(room.store, (state) => activeDraft(state).running !== null);
  const isOld = useStore(room.store, (state) => activeDraft(state).message !== null);
  if (result === null) {
    return (
      <div className="sql-empty">
        <p className="lead">{isRunning ? "The statement runs." : "Rows appear here."}</p>
        <p>The lake is only read: a statement cannot change it, and while it runs the stream goes on.</p>
      </div>
    );
  }
  return (
    <div className={isRunning ? "result-host dimmed" : "result-host"} aria-busy={isRunning}>
      <ResultGrid
        key={result.page.keptId ?? String(result.elapsedMs)}
        page={result.page}
        view={result.view}
        label="Result"
        facts={<Facts result={result} isOld={isOld} />}
        actions={<SaveMenu room={room} />}
      />
    </div>
  );
}

/** Asks the lake in SQL, at the newest or an older snapshot, in several drafts, and takes the answers out as files. */
export function SqlPanel(): ReactElement {
  const { sqlRoom, memory } = useAppStores();
  const [heightPx, setHeightPx] = useState(() => {
    const saved = memory.get(EDITOR_HEIGHT);
    return typeof saved === "number" ? saved : EDITOR_PX.first;
  });
  const resize = (px: number): void => {
    setHeightPx(px);
    memory.set(EDITOR_HEIGHT, px);
  };
  useEffect(() => void sqlRoom.loadSnapshots(), [sqlRoom]);
  return (
    <div className="sql-room">
      <DraftTabs room={sqlRoom} />
      <SqlBar room={sqlRoom} />
      <div className="editor-host" style={{ height: heightPx }}>
        <SqlEditor room={sqlRoom} />
      </div>
      <Sash
        label="Height of the editor"
        orientation="horizontal"
        size={heightPx}
        min={EDITOR_PX.min}
        max={EDITOR_PX.max}
        sign={1}
        onResize={resize}
        onReset={() => resize(EDITOR_PX.first)}
      />
      <SqlMessages room={sqlRoom} />
      <Result room={sqlRoom} />
    </div>
  );
}
