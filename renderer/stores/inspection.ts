import type { Bridge } from "#main/contract/bridge.ts";
import type { RecordView } from "#pipeline/protocol/query-messages.ts";
import type { WireError } from "#storage/model/errors.ts";
import { call } from "#renderer/bridge/call.ts";

/** What the inspector shows. While another record loads, the old one stays. */
export type Inspected = {
  readonly record: RecordView | null;
  readonly snapshotId: number | null;
  readonly isLoading: boolean;
  readonly error: WireError | null;
};

/** An inspector without a record. */
export const NOTHING_INSPECTED: Inspected = { record: null, snapshotId: null, isLoading: false, error: null };

/** The part of a room's store that its inspector lives in. */
export type InspectionStore = {
  readonly getState: () => {
    readonly selectedOffset: number | null;
    readonly isInspectorOpen: boolean;
    readonly inspected: Inspected;
  };
  readonly setState: (change: { readonly inspected: Inspected }) => void;
};

/** Reads a record into the inspector; does nothing where it is shown already. */
export async function inspectRecord(bridge: Bridge, store: InspectionStore, offset: number): Promise<void> {
  const { inspected } = store.getState();
  if (inspected.record?.logOffset === offset && inspected.error === null) return;
  store.setState({ inspected: { ...inspected, isLoading: true, error: null } });
  const answer = await call(bridge, "live.record", { logOffset: offset });
  // The selection moved on while this was under way; its own answer is coming.
  const { selectedOffset, isInspectorOpen } = store.getState();
  if (selectedOffset !== offset || !isInspectorOpen) return;
  store.setState({
    inspected: answer.ok
      ? { ...answer.value, isLoading: false, error: null }
      : { ...NOTHING_INSPECTED, error: answer.error },
  });
}

/** The row `by` rows from the selected one, within the list; the first move selects the first row. */
export function rowBeside<Row extends { readonly logOffset: number }>(
  rows: readonly Row[],
  selectedOffset: number | null,
  by: number,
): Row | undefined {
  const at = rows.findIndex((row) => row.logOffset === selectedOffset);
  return rows[at === -1 ? 0 : Math.min(rows.length - 1, Math.max(0, at + by))];
}
