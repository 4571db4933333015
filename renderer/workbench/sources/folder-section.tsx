import type { ReactElement } from "react";
import type { DiskUsage } from "#main/contract/app-status.ts";
import { judgeDisk } from "#main/contract/source-details.ts";
import { formatBytes } from "#renderer/components/format.ts";
import { Icon } from "#renderer/components/icon.tsx";
import { useStatus } from "#renderer/stores/app-stores.ts";
import { CommandButton } from "../command-button.tsx";

function Sizes({ disk }: { readonly disk: DiskUsage }): ReactElement {
  const { logBytes, lakeBytes, otherBytes, freeBytes, totalBytes, isWhole } = disk;
  const tone = judgeDisk(disk);
  const total = logBytes + lakeBytes + otherBytes;
  const rows = [
    {
      name: "in all",
      value: `${isWhole ? "" : "at least "}${formatBytes(total)}`,
      hint: "log, lake and the rest",
    },
    {
      name: "log",
      value: formatBytes(logBytes),
      hint: "received bytes as they came; kept behind the last seal",
    },
    { name: "lake", value: formatBytes(lakeBytes), hint: "catalog and Parquet files" },
    {
      name: "free on the disk",
      value: formatBytes(freeBytes),
      hint: `of ${formatBytes(totalBytes)}`,
      tone: tone === "ok" ? "" : `tone-${tone}`,
    },
  ];
  return (
    <>
      {rows.map(({ name, value, hint, tone: color = "" }) => (
        <div key={name} className="tree-row" title={hint}>
          <span className="name">{name}</span>
          <span className={`value ${color}`}>{value}</span>
        </div>
      ))}
      {tone === "ok" ? null : (
        <p className={`tone-${tone} low-disk`}>
          <Icon name="warning" /> {tone === "bad" ? "The disk is almost full" : "The disk is getting full"}:
          free some space, or choose another folder with --data.
        </p>
      )}
    </>
  );
}

/** Where the data lie, how large they are, and what is left of the disk. */
export function FolderSection(): ReactElement | null {
  const folder = useStatus(({ status }) => status?.dataFolder ?? null);
  const disk = useStatus(({ status }) => status?.disk ?? null);
  if (folder === null) return null;
  return (
    <section aria-label="Data folder">
      <header className="section-head">
        <h2>Data folder</h2>
        <CommandButton command="folder.show" className="icon-button">
          <Icon name="folder" />
        </CommandButton>
        <button
          type="button"
          className="icon-button"
          title="Copy the path"
          aria-label="Copy the path"
          onClick={() => void navigator.clipboard.writeText(folder)}
        >
          <Icon name="copy" />
        </button>
      </header>
      <p className="address selectable" title={folder}>
        {folder}
      </p>
      {disk === null ? null : <Sizes disk={disk} />}
    </section>
  );
}
