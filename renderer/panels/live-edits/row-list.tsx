import { useCallback, type ReactElement } from "react";
import { RowGrid } from "#renderer/components/row-grid/row-grid.tsx";
import { useAppStores, useLiveEdits } from "#renderer/stores/app-stores.ts";
import { recordMenu } from "../record-room/record-menu.ts";
import { copyRecord } from "../record-room/record-actions.ts";
import { LIVE_COLUMNS, liveCells } from "./live-columns.tsx";
import { visibleRows } from "./live-edits-store.ts";
import { NoRows } from "./no-rows.tsx";

/** The newest rows first. */
export function RowList(): ReactElement {
  const stores = useAppStores();
  const { liveEdits } = stores;
  const rows = useLiveEdits(visibleRows);
  const select = useCallback((offset: number) => liveEdits.select(offset), [liveEdits]);
  const open = useCallback(() => liveEdits.openInspector(), [liveEdits]);
  return (
    <RowGrid
      name="Live edits"
      columns={LIVE_COLUMNS}
      widths={useLiveEdits((state) => state.widths)}
      onResize={(column, px) => liveEdits.resize(column, px)}
      rows={rows}
      cells={liveCells}
      selected={useLiveEdits((state) => state.selectedOffset)}
      onSelect={select}
      onOpen={open}
      menu={(offset) => recordMenu(stores, liveEdits, offset)}
      onCopy={(offset) => void copyRecord(stores, offset, "json")}
      isHeld={useLiveEdits((state) => state.window.hold !== null)}
      restoreOffset={liveEdits.store.getState().topOffset}
      onScrolled={(scrolled) => liveEdits.scrolled(scrolled)}
      empty={<NoRows />}
    />
  );
}
