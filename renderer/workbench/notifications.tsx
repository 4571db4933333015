import type { KeyboardEvent, ReactElement } from "react";
import { Icon } from "#renderer/components/icon.tsx";
import { useAppStores, useNotifications } from "#renderer/stores/app-stores.ts";
import type { Notification } from "#renderer/stores/notifications.ts";

const ICONS = { info: "info", ok: "pass", warn: "warning", bad: "error" } as const;

function ProgressLine({
  progress,
}: {
  readonly progress: NonNullable<Notification["progress"]>;
}): ReactElement {
  const { done, text } = progress;
  return (
    <>
      <progress max={1} aria-label={text} {...(done === null ? {} : { value: done })} />
      <span className="progress-text">{text}</span>
    </>
  );
}

type CardProps = { readonly told: Notification; readonly isPast?: boolean };

/** One notification: what happened, its cause, what to do. */
export function NotificationCard({ told, isPast = false }: CardProps): ReactElement {
  const { notifications } = useAppStores();
  const { id, tone, text, detail, progress, actions } = told;
  // Only with the focus inside: Esc in a room closes what is open there.
  const closeByKey = (event: KeyboardEvent): void => {
    if (event.key !== "Escape" || isPast) return;
    event.stopPropagation();
    notifications.close(id);
  };
  return (
    <div
      className={`notification tone-${tone}`}
      role={isPast ? "group" : tone === "bad" ? "alert" : "status"}
      onKeyDown={closeByKey}
    >
      <Icon name={progress === null ? ICONS[tone] : "sync"} />
      <div className="said selectable">
        <p>{text}</p>
        {detail === undefined ? null : <p className="detail">{detail}</p>}
        {progress === null ? null : <ProgressLine progress={progress} />}
        {actions.length === 0 ? null : (
          <div className="actions">
            {actions.map((action) => (
              <button
                key={action.label}
                type="button"
                onClick={() => {
                  if (action.keepsOpen !== true) notifications.close(id);
                  action.run();
                }}
              >
                {action.label}
              </button>
            ))}
          </div>
        )}
      </div>
      {isPast ? null : (
        <button
          type="button"
          className="icon-button"
          title="Close (Esc)"
          aria-label="Close"
          onClick={() => notifications.close(id)}
        >
          <Icon name="close" />
        </button>
      )}
    </div>
  );
}

/** Notifications that are on screen, newest at the bottom, above the status bar. */
export function OpenNotifications(): ReactElement | null {
  const open = useNotifications((state) => state.open);
  if (open.length === 0) return null;
  return (
    <div className="notifications" aria-label="Notifications" role="region">
      {open.toReversed().map((told) => (
        <NotificationCard key={told.id} told={told} />
      ))}
    </div>
  );
}
