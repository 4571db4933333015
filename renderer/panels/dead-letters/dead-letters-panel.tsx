import type { ReactElement } from "react";
import { useStore } from "zustand";
import { formatBytes, formatCount, formatTime, formatUtc } from "#renderer/components/format.ts";
import { FeedCell, TimeCell } from "#renderer/components/row-grid/cells.tsx";
import { useAppStores } from "#renderer/stores/app-stores.ts";
import { LedgerFact } from "../record-room/room-facts.tsx";
import { RoomView } from "../record-room/room-view.tsx";
import type { DeadLetterGroup, DeadLetterRow } from "./dead-letters-plan.ts";
import { Sparkline } from "./sparkline.tsx";
import { TREND_MINUTES } from "./trend.ts";

const WHEN_EMPTY =
  "Records that a rule refused will be here with their bytes, rule and reason. The lake has none yet.";

function letterCells(row: DeadLetterRow): ReactElement {
  return (
    <>
      <TimeCell ms={row.receivedTimeMs} />
      <span role="gridcell" className="number">
        {formatCount(row.logOffset)}
      </span>
      <FeedCell text={row.reason} />
      <FeedCell text={row.rule} className="user" />
      <span role="gridcell" className="number">
        {formatBytes(row.sizeBytes)}
      </span>
      <FeedCell text={row.head} className="first-bytes" />
    </>
  );
}

type GroupsProps = {
  readonly groups: readonly DeadLetterGroup[];
  readonly chosen: string | null;
  readonly onToggle: (key: string) => void;
};

function Groups({ groups, chosen, onToggle }: GroupsProps): ReactElement {
  return (
    <section className="letter-groups" aria-label="Groups">
      <h2>By reason and rule · click to filter · bars: per minute, last {TREND_MINUTES} minutes</h2>
      {groups.map(({ key, rule, reason, count, lastReceivedMs, perMinute }) => (
        <button
          key={key}
          type="button"
          className="letter-group"
          aria-pressed={key === chosen}
          title={
            key === chosen
              ? "Show all groups"
              : `Show only these; last one received ${formatUtc(lastReceivedMs)}`
          }
          onClick={() => onToggle(key)}
        >
          <span className="reason">{reason}</span>
          <span className="rule">{rule}</span>
          <Sparkline perMinute={perMinute} />
          <span className="last">last {formatTime(lastReceivedMs)}</span>
          <span className="count">{formatCount(count)}</span>
        </button>
      ))}
    </section>
  );
}

/** Records that were set aside: why, how many, and all of their bytes. */
export function DeadLettersPanel(): ReactElement {
  const { deadLetters } = useAppStores();
  const answer = useStore(deadLetters.store, (state) => state.answer);
  const chosen = useStore(deadLetters.store, (state) => state.group);
  const { count = 0, groups = [] } = answer?.facts ?? {};
  const total = groups.find(({ key }) => key === chosen)?.count ?? count;
  return (
    <RoomView
      room={deadLetters}
      panel="dead-letters"
      name="Dead letters"
      cells={letterCells}
      total={total}
      whenEmpty={WHEN_EMPTY}
    >
      <div className="room-head">
        <div className="room-facts">
          <LedgerFact
            name="dead letters"
            count={count}
            inLedger={answer?.ledger["dead_letter"]}
            snapshotId={answer?.snapshotId ?? 0}
          />
        </div>
        <Groups groups={groups} chosen={chosen} onToggle={(key) => deadLetters.toggleGroup(key)} />
      </div>
    </RoomView>
  );
}
