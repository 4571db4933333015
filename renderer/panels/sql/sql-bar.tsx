import { useEffect, useState, type ReactElement } from "react";
import { useStore } from "zustand";
import { Icon } from "#renderer/components/icon.tsx";
import { MenuButton, type MenuItem } from "#renderer/components/menu-button.tsx";
import { CommandButton } from "#renderer/workbench/command-button.tsx";
import { SnapshotPicker } from "./snapshot-picker.tsx";
import { SQL_EXAMPLES } from "./sql-examples.ts";
import { activeDraft, type SqlRoom } from "./sql-room.ts";

/** Seconds since a run began, once a second. */
function Elapsed({ sinceMs }: { readonly sinceMs: number }): ReactElement {
  const [nowMs, setNowMs] = useState(sinceMs);
  useEffect(() => {
    const timer = setInterval(() => setNowMs(Date.now()), 1_000);
    return () => clearInterval(timer);
  }, []);
  return <>{Math.max(0, Math.floor((nowMs - sinceMs) / 1_000))} s</>;
}

function toItem(room: SqlRoom, label: string, text: string): MenuItem {
  return { label, detail: text.slice(0, 500), run: () => room.openDraft(text) };
}

/** What can be done with the draft that is shown. */
export function SqlBar({ room }: { readonly room: SqlRoom }): ReactElement {
  const running = useStore(room.store, (state) => activeDraft(state).running);
  const history = useStore(room.store, (state) => state.history);
  const examples = SQL_EXAMPLES.map(({ title, text }) => toItem(room, title, text));
  const statements = history.map((text) => toItem(room, text.replaceAll(/\s+/gu, " ").slice(0, 80), text));
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
      <MenuButton title="Open an example in a draft" items={examples} align="left">
        <Icon name="lightbulb" /> Examples
      </MenuButton>
      <MenuButton title="Open a statement that was run before in a draft" items={statements} align="left">
        <Icon name="history" /> History
      </MenuButton>
    </div>
  );
}
