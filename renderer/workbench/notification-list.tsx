import type { ReactElement } from "react";
import { formatTime } from "#renderer/components/format.ts";
import { Icon } from "#renderer/components/icon.tsx";
import { useNotifications, useWorkbench } from "#renderer/stores/app-stores.ts";
import { CommandButton } from "./command-button.tsx";
import { NotificationCard } from "./notifications.tsx";

/** Opens the list of what was told; says how many are on screen. */
export function NotificationBell(): ReactElement {
  const open = useNotifications((state) => state.open.length);
  return (
    <span className="bell">
      <CommandButton command="notifications.toggle" className="icon-button">
        <Icon name={open > 0 ? "bell-dot" : "bell"} />
      </CommandButton>
      <NotificationList />
    </span>
  );
}

function NotificationList(): ReactElement | null {
  const past = useNotifications((state) => state.past);
  if (!useWorkbench((state) => state.areNotificationsShown)) return null;
  return (
    <section className="notification-list" aria-label="Past notifications" tabIndex={0}>
      <h2>Notifications</h2>
      {past.length === 0 ? <p className="empty">What was told and closed is listed here.</p> : null}
      {past.map((told) => (
        <div key={told.id}>
          <time>{formatTime(told.atMs)}</time>
          <NotificationCard told={told} isPast />
        </div>
      ))}
    </section>
  );
}
