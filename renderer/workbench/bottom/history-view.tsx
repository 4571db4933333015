import type { ReactElement } from "react";
import { useStore } from "zustand";
import { formatTime, formatUtc } from "#renderer/components/format.ts";
import { Icon } from "#renderer/components/icon.tsx";
import { useAppStores } from "#renderer/stores/app-stores.ts";

const ICONS = { info: "circle-small-filled", ok: "pass", warn: "warning", bad: "error" } as const;

/** What happened since this window was opened, newest first. */
export function HistoryView(): ReactElement {
  const { history } = useAppStores();
  const entries = useStore(history.store, (state) => state.entries);
  if (entries.length === 0)
    return <p className="empty">What happens to workers, sources and settings is listed here.</p>;
  return (
    <ul className="bottom-list selectable" aria-label="History">
      {entries.map(({ id, atMs, tone, text, detail }) => (
        <li key={id} title={`${formatUtc(atMs)}\n${text}\n${detail}`}>
          <time>{formatTime(atMs)}</time>
          <span className={`tone-${tone}`}>
            <Icon name={ICONS[tone]} />
          </span>
          <span className="what">{text}</span>
          <span className="detail">{detail}</span>
        </li>
      ))}
    </ul>
  );
}
