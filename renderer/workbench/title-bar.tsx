import type { ReactElement } from "react";
import { Icon } from "#renderer/components/icon.tsx";
import { useStatus } from "#renderer/stores/app-stores.ts";
import { CommandButton } from "./command-button.tsx";
import { NotificationBell } from "./notification-list.tsx";
import { nameSource } from "./status-items.ts";

/** Name of the app and the command centre, which opens the palette. */
export function TitleBar(): ReactElement {
  const source = useStatus(({ status }) => (status === null ? "Highwater" : nameSource(status)));
  return (
    <header className="title-bar">
      <span className="brand">
        <svg viewBox="0 0 16 16" aria-hidden="true">
          <path d="M1 8.5c2.4 4 4.7 4 7 2s4.6-2 7 0" />
          <path d="M1 4.5c2.4 4 4.7 4 7 2s4.6-2 7 0" />
        </svg>
        Highwater
      </span>
      <CommandButton command="workbench.quick-open" className="command-centre" isNamedByText>
        <Icon name="search" />
        <span>{source} — search rooms, tables, pages</span>
      </CommandButton>
      <NotificationBell />
    </header>
  );
}
