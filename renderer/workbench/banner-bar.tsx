import { useState, type ReactElement } from "react";
import type { Banner } from "#main/contract/app-status.ts";
import { Icon } from "#renderer/components/icon.tsx";
import { useAppStores, useStatus } from "#renderer/stores/app-stores.ts";
import { runCommand } from "./commands.ts";

const ICONS = { info: "info", warn: "warning", bad: "error" } as const;

const NO_BANNERS: readonly Banner[] = [];

function OneBanner({
  banner,
  more,
}: {
  readonly banner: Banner;
  readonly more?: ReactElement;
}): ReactElement {
  const stores = useAppStores();
  const { action } = banner;
  return (
    <div
      className={`banner tone-${banner.tone}`}
      role={banner.tone === "bad" ? "alert" : "status"}
      data-banner={banner.id}
    >
      <Icon name={ICONS[banner.tone]} />
      <p className="selectable">
        <strong>{banner.title}</strong> {banner.detail}
      </p>
      {more}
      {action === null ? null : (
        <button type="button" className="primary" onClick={() => runCommand(stores, action.command)}>
          {action.label}
        </button>
      )}
    </div>
  );
}

/** What the user must know now, each with the one thing to do about it: the worst, the others on demand below it. */
export function BannerBar(): ReactElement | null {
  const banners = useStatus(({ status }) => status?.banners ?? NO_BANNERS);
  const [isOpen, setOpen] = useState(false);
  const [worst, ...others] = banners;
  if (worst === undefined) return null;
  const more =
    others.length === 0 ? undefined : (
      <button
        type="button"
        aria-expanded={isOpen}
        title={others.map(({ title }) => title).join("\n")}
        onClick={() => setOpen(!isOpen)}
      >
        {isOpen ? "Show less" : `and ${others.length} more`}
      </button>
    );
  return (
    <>
      <OneBanner banner={worst} {...(more === undefined ? {} : { more })} />
      {isOpen ? others.map((banner) => <OneBanner key={banner.id} banner={banner} />) : null}
    </>
  );
}
