import { useEffect, useState, type ReactElement } from "react";
import { useStore } from "zustand";
import { formatBytes, formatCount, formatDuration, formatTime } from "#renderer/components/format.ts";
import { Icon } from "#renderer/components/icon.tsx";
import { useAppStores } from "#renderer/stores/app-stores.ts";
import { CommandButton } from "#renderer/workbench/command-button.tsx";
import { ResultGrid } from "./result-grid.tsx";
import { SqlEditor } from "./sql-editor.tsx";
import { SQL_EXAMPLES } from "./sql-examples.ts";
import { type SqlRoom, type SqlState } from "./sql-room.ts";
import "./sql.css";

function useSql<T>(select: (state: SqlState) => T): T {
  return useStore(useAppStores().sqlRoom.store, select);
}

/** Choosing the first line of a list that offers itself again each time. */
function Chooser({
  label,
  options,
  onChoose,
}: {
  readonly label: string;
  readonly options: readonly { readonly title: string; readonly text: string }[];
  readonly onChoose: (text: string) => void;
}): ReactElement {
  return (
    <select
      aria-label={label}
      value=""
      disabled={options.length === 0}
      onChange={(event) => {
        const chosen = options[Number(event.target.value)];
        if (chosen !== undefined) onChoose(chosen.text);
      }}
    >
      <option value="" disabled>
        {label}
      </option>
      {options.map(({ title }, at) => (
        <option key={at} value={at}>
          {title}
        </option>
      ))}
    </select>
  );
}

function SnapshotPicker({ room }: { readonly room: SqlRoom }): ReactElement {
  const asOf = useSql((state) => state.asOf);
  const snapshots = useSql((state) => state.snapshots);
  // A picked snapshot may have left the list since; it stays picked, and the statement says if it is gone.
  const isListed = asOf === null || snapshots.some(({ snapshotId }) => snapshotId === asOf);
  return (
    <select
      aria-label="Snapshot to read"
      title="Snapshot that the statement reads"
      value={asOf ?? ""}
      onFocus={() => void room.loadSnapshots()}
      onChange={({ target }) => room.setAsOf(target.value === "" ? null : Number(target.value))}
    >
      <option value="">newest snapshot</option>
      {isListed ? null : <option value={asOf}>#{formatCount(asOf)}</option>}
      {snapshots.map(({ snapshotId, commitTimeMs, sealed }) => (
        <option key={snapshotId} value={snapshotId}>
          #{formatCount(snapshotId)} · {formatTime(commitTimeMs)}
          {sealed ? " · sealed" : ""}
        </option>
      ))}
    </select>
  );
}

/** Seconds since a run began, once a second. */
function Elapsed({ sinceMs }: { readonly sinceMs: number }): ReactElement {
  const [nowMs, setNowMs] = useState(sinceMs);
  useEffect(() => {
    const timer = setInterval(() => setNowMs(Date.now()), 1_000);
    return () => clearInterval(timer);
  }, []);
  return <>{Math.max(0, Math.floor((nowMs - sinceMs) / 1_000))} s</>;
}

function Bar({ room }: { readonly room: SqlRoom }): ReactElement {
  const running = useSql((state) => state.running);
  const history = useSql((state) => state.history);
  const statements = history.map((text) => ({ title: text.replaceAll(/\s+/gu, " ").slice(0, 80), text }));
  return (
    <div className="tool-bar">
      {running === null ? (
        <CommandButton command="sql.run" className="primary">
          <Icon name="play" /> Run
        </CommandButton>
      ) : (
        <CommandButton command="sql.cancel">
          <Icon name="debug-stop" /> Cancel · {running.what} <Elapsed sinceMs={running.sinceMs} />
        </CommandButton>
      )}
      <SnapshotPicker room={room} />
      <Chooser label="Examples" options={SQL_EXAMPLES} onChoose={(text) => room.setText(text)} />
      <Chooser label="History" options={statements} onChoose={(text) => room.setText(text)} />
    </div>
  );
}

function ResultBar(): ReactElement | null {
  const result = useSql((state) => state.result);
  if (result === null) return null;
  const { total, page, snapshotId, elapsedMs, truncated } = result;
  const shown = truncated
    ? `${formatCount(page.rows.length)} of ${formatCount(total)} rows`
    : `${formatCount(total)} rows`;
  return (
    <div className="result-bar">
      <span className="facts-line">
        {shown} · snapshot #{formatCount(snapshotId)} · {formatDuration(elapsedMs)}
      </span>
      <span className="spacer" />
      <span>Save all rows as</span>
      <CommandButton command="sql.save-parquet">Parquet</CommandButton>
      <CommandButton command="sql.save-csv">CSV</CommandButton>
      <CommandButton command="sql.save-ndjson">NDJSON</CommandButton>
    </div>
  );
}

function Messages({ room }: { readonly room: SqlRoom }): ReactElement {
  const error = useSql((state) => state.error);
  const saved = useSql((state) => state.saved);
  return (
    <>
      {error === null ? null : (
        <div className="message tone-bad" role="alert">
          <Icon name="error" />
          <pre className="selectable">{error.message}</pre>
          <button type="button" onClick={() => void navigator.clipboard.writeText(error.message)}>
            Copy
          </button>
        </div>
      )}
      {saved === null ? null : (
        <div className="message tone-ok" role="status">
          <Icon name="check" />
          <span className="selectable">
            {formatCount(saved.rows)} rows, {formatBytes(saved.bytes)}, snapshot #
            {formatCount(saved.snapshotId)}: {saved.path} · SHA-256 {saved.sha256}
          </span>
          <button type="button" onClick={() => void room.show()}>
            Show in folder
          </button>
        </div>
      )}
    </>
  );
}

function Result(): ReactElement {
  const result = useSql((state) => state.result);
  const isRunning = useSql((state) => state.running !== null);
  if (result === null) {
    return (
      <div className="no-rows">
        <p className="lead">Rows appear here.</p>
        <p>The lake is only read: a statement cannot change it, and while it runs the stream goes on.</p>
      </div>
    );
  }
  return (
    <div className={isRunning ? "grid-host dimmed" : "grid-host"}>
      <ResultGrid result={result} />
    </div>
  );
}

/** Asks the lake in SQL, at the newest or an older snapshot, and takes the answer out as a file. */
export function SqlPanel(): ReactElement {
  const { sqlRoom } = useAppStores();
  useEffect(() => void sqlRoom.loadSnapshots(), [sqlRoom]);
  return (
    <div className="sql-room">
      <Bar room={sqlRoom} />
      <SqlEditor room={sqlRoom} />
      <ResultBar />
      <Messages room={sqlRoom} />
      <Result />
    </div>
  );
}
