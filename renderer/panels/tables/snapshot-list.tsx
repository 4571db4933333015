import { useRef, type ReactElement } from "react";
import { useStore } from "zustand";
import { formatCount, formatTime, formatUtc } from "#renderer/components/format.ts";
import { useRowVirtualizer } from "#renderer/components/use-row-virtualizer.ts";
import { useAppStores } from "#renderer/stores/app-stores.ts";
import type { KeptSnapshot } from "./tables-room.ts";

function offsetsOf({ fromOffset, toOffset, source }: KeptSnapshot): string {
  if (fromOffset === null || toOffset === null) return "—";
  return `${source ?? ""} ${formatCount(fromOffset)}–${formatCount(toOffset)}`;
}

/** Kept snapshots, newest first; a click reads all tables as of one. */
export function SnapshotList(): ReactElement {
  const { tablesRoom } = useAppStores();
  const snapshots = useStore(tablesRoom.store, (state) => state.snapshots);
  const asOf = useStore(tablesRoom.store, (state) => state.asOf);
  const list = useRef<HTMLDivElement>(null);
  const virtual = useRowVirtualizer(list, snapshots.length, (at) => snapshots[at]?.snapshotId ?? at);
  if (snapshots.length === 0) return <p className="empty">Snapshots appear with the first commit.</p>;
  return (
    <div className="snapshot-list" ref={list} role="list" aria-label="Snapshots" tabIndex={0}>
      <div style={{ height: virtual.getTotalSize(), position: "relative" }}>
        {virtual.getVirtualItems().map(({ key, index, start }) => {
          const snapshot = snapshots[index];
          if (snapshot === undefined) return null;
          return (
            <div
              key={key}
              role="listitem"
              className="snapshot-row"
              data-current={snapshot.snapshotId === asOf}
              style={{ transform: `translateY(${start}px)` }}
            >
              <span className="number">#{formatCount(snapshot.snapshotId)}</span>
              <time title={formatUtc(snapshot.commitTimeMs)}>{formatTime(snapshot.commitTimeMs)}</time>
              <span>
                {snapshot.kind}
                {snapshot.sealed ? " · sealed" : ""}
              </span>
              <span className="offsets">{offsetsOf(snapshot)}</span>
              <button
                type="button"
                title={`Read all tables as of snapshot ${snapshot.snapshotId}`}
                onClick={() => tablesRoom.readAsOf(snapshot.snapshotId)}
              >
                Read as of
              </button>
            </div>
          );
        })}
      </div>
    </div>
  );
}
