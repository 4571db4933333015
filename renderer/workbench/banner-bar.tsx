import type { ReactElement } from "react";
import { Icon } from "#renderer/components/icon.tsx";
import { useAppStores, useStatus, useWorkbench } from "#renderer/stores/app-stores.ts";
import { runCommand } from "./commands.ts";

const ICONS = { info: "info", warn: "warning", bad: "error" } as const;

/** What the user must know now, with the one thing to do about it. */
export function BannerBar(): ReactElement | null {
  const stores = useAppStores();
  const banner = useStatus(({ status }) => status?.banner ?? null);
  if (banner === null) return null;
  const { action } = banner;
  return (
    <div className={`banner tone-${banner.tone}`} role={banner.tone === "bad" ? "alert" : "status"}>
      <Icon name={ICONS[banner.tone]} />
      <p className="selectable">
        <strong>{banner.title}</strong> {banner.detail}
      </p>
      {action === null ? null : (
        <button type="button" className="primary" onClick={() => runCommand(stores, action.command)}>
          {action.label}
        </button>
      )}
    </div>
  );
}

/** The answer of a command that could not do what was asked, until it is closed. */
export function NoticeBar(): ReactElement | null {
  const { workbench } = useAppStores();
  const notice = useWorkbench((state) => state.notice);
  if (notice === null) return null;
  return (
    <div className={`notice tone-${notice.tone}`} role="status">
      <Icon name={ICONS[notice.tone]} />
      <p className="selectable">{notice.text}</p>
      <button
        type="button"
        title="Close"
        aria-label="Close"
        onClick={() => workbench.setState({ notice: null })}
      >
        <Icon name="close" />
      </button>
    </div>
  );
}
