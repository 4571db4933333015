import type { KeyboardEvent, ReactElement } from "react";
import { useStore } from "zustand";
import { Icon } from "#renderer/components/icon.tsx";
import { CommandButton } from "#renderer/workbench/command-button.tsx";
import { keptIds } from "./draft-memory.ts";
import type { Draft } from "./draft.ts";
import type { SqlRoom } from "./sql-room.ts";

function tooltip({ title, text, running }: Draft, isKept: boolean): string {
  const state = running === null ? "" : " · a statement runs";
  const kept = isKept ? "" : "\nToo long to be kept over a restart";
  return `${title}${state}\n${text.trim().slice(0, 200)}${kept}`;
}

function Tab({ room, draft, isKept }: { room: SqlRoom; draft: Draft; isKept: boolean }): ReactElement {
  const isActive = useStore(room.store, ({ activeId }) => activeId === draft.id);
  const { id, title, running } = draft;
  return (
    <div
      id={`sql-tab-${id}`}
      className="draft-tab"
      role="tab"
      aria-selected={isActive}
      tabIndex={isActive ? 0 : -1}
      title={tooltip(draft, isKept)}
      onClick={() => room.showDraft(id)}
      onAuxClick={(event) => {
        if (event.button === 1) room.closeDraft(id);
      }}
    >
      <Icon name={running === null ? "file-code" : "play-circle"} />
      <span>
        {title}
        {running === null ? null : <span className="visually-hidden"> (runs)</span>}
      </span>
      {isKept ? null : <Icon name="warning" />}
      {/* For the pointer only: a control inside of a tab cannot be reached by a screen reader; the keyboard has its own key. */}
      <span
        className="tab-close"
        aria-hidden="true"
        title="Close (Ctrl+Alt+W)"
        onClick={(event) => {
          event.stopPropagation();
          room.closeDraft(id);
        }}
      >
        <Icon name="close" />
      </span>
    </div>
  );
}

/** The drafts of the room, one of them shown. */
export function DraftTabs({ room }: { readonly room: SqlRoom }): ReactElement {
  const drafts = useStore(room.store, (state) => state.drafts);
  const kept = keptIds(drafts);
  const onKeyDown = (event: KeyboardEvent): void => {
    const by = { ArrowRight: 1, ArrowLeft: -1 } as const;
    if (event.key !== "ArrowRight" && event.key !== "ArrowLeft") return;
    room.stepDraft(by[event.key]);
    document.getElementById(`sql-tab-${room.store.getState().activeId}`)?.focus();
    event.preventDefault();
    event.stopPropagation();
  };
  return (
    <div className="draft-tabs">
      <div className="draft-list" role="tablist" aria-label="Drafts" onKeyDown={onKeyDown}>
        {drafts.map((draft) => (
          <Tab key={draft.id} room={room} draft={draft} isKept={kept.has(draft.id)} />
        ))}
      </div>
      <CommandButton command="sql.new-draft" className="icon-button">
        <Icon name="add" />
      </CommandButton>
    </div>
  );
}
