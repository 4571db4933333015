import type { ReactElement, ReactNode } from "react";
import { formatCount } from "#renderer/components/format.ts";
import { compareWithLedger } from "./ledger-words.ts";

type FactProps = {
  readonly name: string;
  readonly value: string;
  readonly hint?: string;
  readonly children?: ReactNode;
};

/** A number of a room with its name, and a word about it. */
export function RoomFact({ name, value, hint, children }: FactProps): ReactElement {
  return (
    <div className="room-fact" title={hint}>
      <span className="name">{name}</span>
      <span className="value">{value}</span>
      {children === undefined ? null : <span className="note">{children}</span>}
    </div>
  );
}

type CountProps = {
  readonly name: string;
  readonly count: number;
  readonly inLedger: number | undefined;
  readonly snapshotId: number;
};

/** A count of the lake beside the ledger's of the same snapshot. */
export function LedgerFact({ name, count, inLedger, snapshotId }: CountProps): ReactElement {
  const { text, tone } = compareWithLedger(count, inLedger);
  return (
    <>
      <RoomFact name={name} value={formatCount(count)}>
        <span className={`tone-${tone}`}>{text}</span>
      </RoomFact>
      <RoomFact
        name="snapshot"
        value={formatCount(snapshotId)}
        hint="every number of this room is read from it"
      />
    </>
  );
}
