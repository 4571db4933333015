import { useEffect, useState, type ReactElement } from "react";
import { useStore } from "zustand";
import { Icon } from "#renderer/components/icon.tsx";
import { CommandButton } from "#renderer/workbench/command-button.tsx";
import { SnapshotPicker } from "./snapshot-picker.tsx";
import { SQL_EXAMPLES } from "./sql-examples.ts";
import { activeDraft, type SqlRoom } from "./sql-room.ts";

type ChooserProps = {
  readonly label: string;
  readonly title: string;
  readonly options: readonly { readonly title: string; readonly text: string }[];
  readonly onChoose: (text: string) => void;
};

/** Choosing from a list that offers itself again each time. */
function Chooser({ label, title, options, onChoose }: ChooserProps): ReactElement {
  return (
    <select
      aria-label={label}
      title={title}
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
      {options.map((option, at) => (
        <option key={at} value={at}>
          {option.title}
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

/** What can be done with the draft that is shown. */
export function SqlBar({ room }: { readonly room: SqlRoom }): ReactElement {
  const running = useStore(room.store, (state) => activeDraft(state).running);
  const history = useStore(room.store, (state) => state.history);
  const statements = history.map((text) => ({ title: text.replaceAll(/\s+/gu, " ").slice(0, 80), text }));
  return (
    <div className="tool-bar">
      {running === null ? (
        <CommandButton command="sql.run" className="primary">
          <Icon name="play" /> Run
        </CommandButton>
      ) : (
        <CommandButton command="sql.cancel" className="cancel">
          <Icon name="debug-stop" /> Cancel · <Elapsed sinceMs={running.sinceMs} />
        </CommandButton>
      )}
      <SnapshotPicker room={room} />
      <Chooser
        label="Examples"
        title="Opens an example in a draft"
        options={SQL_EXAMPLES}
        onChoose={(text) => room.openDraft(text)}
      />
      <Chooser
        label="History"
        title="Opens a statement that was run before in a draft"
        options={statements}
        onChoose={(text) => room.openDraft(text)}
      />
    </div>
  );
}
