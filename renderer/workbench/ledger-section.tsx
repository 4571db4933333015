import type { ReactElement } from "react";
import type { AppStatus } from "#main/contract/app-status.ts";
import { formatCount } from "#renderer/components/format.ts";
import { useAppStores, useStatus } from "#renderer/stores/app-stores.ts";
import { runCommand } from "./commands.ts";

type LedgerRow = {
  readonly hop: string;
  readonly name: string;
  readonly hint: string;
  readonly tone: "warn" | "late" | null;
  /** Command that opens the room of these records. */
  readonly opens?: string;
};

/** Hops as the side bar shows them, in the order of a record's journey. */
const ROWS: readonly LedgerRow[] = [
  { hop: "received", name: "received", hint: "records of the log up to the checkpoint", tone: null },
  { hop: "filtered", name: "filtered · canary", hint: "signs of life of the source, no edits", tone: null },
  {
    hop: "dead_letter",
    name: "dead letter",
    hint: "set aside with rule, reason and bytes",
    tone: "warn",
    opens: "dead-letters.open",
  },
  { hop: "duplicate", name: "duplicate", hint: "the same meta.id within the horizon", tone: null },
  { hop: "repeat", name: "repeat", hint: "the same bytes as an earlier dead letter", tone: null },
  { hop: "unreadable", name: "unreadable", hint: "offsets whose record could not be read", tone: "warn" },
  { hop: "control", name: "control", hint: "settings and notes of the log itself", tone: null },
  { hop: "bronze", name: "bronze", hint: "valid records, each once", tone: null },
  {
    hop: "late",
    name: "of these late",
    hint: "below the watermark at their own offset",
    tone: "late",
    opens: "late-arrivals.open",
  },
];

/** Hops that are shown only when something was counted there. */
const ONLY_WHEN_COUNTED = new Set(["repeat", "unreadable"]);

function inFlight(status: AppStatus): number {
  const head = Math.max(status.ingest?.head ?? 0, status.pipeline?.head ?? 0);
  return Math.max(0, head - (status.pipeline?.checkpoint ?? 0));
}

function HopRow({ row, count }: { readonly row: LedgerRow; readonly count: number }): ReactElement {
  const stores = useAppStores();
  const { opens } = row;
  const content = (
    <>
      <span className="name">{row.name}</span>
      <span className={`value ${row.tone !== null && count > 0 ? `tone-${row.tone}` : ""}`}>
        {formatCount(count)}
      </span>
    </>
  );
  return opens === undefined ? (
    <div className="tree-row" title={row.hint}>
      {content}
    </div>
  ) : (
    <button
      type="button"
      className="tree-row"
      title={`${row.hint}; click to open`}
      onClick={() => runCommand(stores, opens)}
    >
      {content}
    </button>
  );
}

/** The account of the running source, as counted in the last snapshot. Nothing here claims that it balances. */
export function LedgerSection(): ReactElement {
  const status = useStatus((state) => state.status);
  const pipeline = status?.pipeline ?? null;
  if (status === null || pipeline === null) {
    return (
      <section aria-label="Ledger">
        <h2>Ledger</h2>
        <p className="empty">Counts appear with the first commit.</p>
      </section>
    );
  }
  const { ledger, snapshotId } = pipeline;
  const rows = ROWS.filter((row) => !ONLY_WHEN_COUNTED.has(row.hop) || (ledger[row.hop] ?? 0) > 0);
  return (
    <section aria-label="Ledger">
      <h2 title={`as counted in snapshot ${formatCount(snapshotId)}`}>Ledger</h2>
      {rows.map((row) => (
        <HopRow key={row.hop} row={row} count={ledger[row.hop] ?? 0} />
      ))}
      <div className="tree-row" title="in the log, not in the lake yet">
        <span className="name">in flight</span>
        <span className="value">{formatCount(inFlight(status))}</span>
      </div>
      <div className="tree-row unchecked" title="`highwater verify` compares this account with the data">
        <span className="name">balance</span>
        <span className="value">not checked</span>
      </div>
    </section>
  );
}
