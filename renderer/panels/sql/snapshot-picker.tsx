import type { ReactElement } from "react";
import { useStore } from "zustand";
import { formatCount, formatTime } from "#renderer/components/format.ts";
import { activeDraft, type PickableSnapshot, type SqlRoom } from "./sql-room.ts";

const day = new Intl.DateTimeFormat("en-GB", { day: "numeric", month: "short" });

/** `#27,310 · 14:06:51 · sealed`, with the day where it is not today. */
function describe({ snapshotId, commitTimeMs, sealed }: PickableSnapshot, nowMs: number): string {
  const date = day.format(commitTimeMs) === day.format(nowMs) ? "" : `${day.format(commitTimeMs)} `;
  return `#${formatCount(snapshotId)} · ${date}${formatTime(commitTimeMs)}${sealed ? " · sealed" : ""}`;
}

/** Which snapshot the draft's statements read. */
export function SnapshotPicker({ room }: { readonly room: SqlRoom }): ReactElement {
  const asOf = useStore(room.store, (state) => activeDraft(state).asOf);
  const snapshots = useStore(room.store, (state) => state.snapshots);
  // A picked snapshot may have left the list since; it stays picked, and the statement says if it is gone.
  const isListed = asOf === null || snapshots.some(({ snapshotId }) => snapshotId === asOf);
  // Today is the day of the newest one: the lake's own clock, not that of an old list.
  const nowMs = snapshots[0]?.commitTimeMs ?? 0;
  return (
    <select
      aria-label="Snapshot to read"
      title="Snapshot that the statement reads; the list is read again when it is opened"
      value={asOf ?? ""}
      onFocus={() => void room.loadSnapshots()}
      onChange={({ target }) => room.setAsOf(target.value === "" ? null : Number(target.value))}
    >
      <option value="">Newest snapshot</option>
      {isListed ? null : <option value={asOf}>#{formatCount(asOf)} · no longer listed</option>}
      {snapshots.map((snapshot) => (
        <option key={snapshot.snapshotId} value={snapshot.snapshotId}>
          {describe(snapshot, nowMs)}
        </option>
      ))}
    </select>
  );
}
