import type { ReactElement } from "react";
import { useStore } from "zustand";
import { formatDuration, formatTime, formatUtc } from "#renderer/components/format.ts";
import { FeedCell, TimeCell } from "#renderer/components/row-grid/cells.tsx";
import { useAppStores, useStatus } from "#renderer/stores/app-stores.ts";
import { LedgerFact, RoomFact } from "../record-room/room-facts.tsx";
import { RoomView } from "../record-room/room-view.tsx";
import type { LateRow } from "./late-arrivals-plan.ts";
import { LatenessChart } from "./lateness-chart.tsx";
import { WatermarkChart } from "./watermark-chart.tsx";

const WHEN_EMPTY =
  "Rows whose event time was below the watermark at their own offset will be here. The lake has none yet.";

function lateCells(row: LateRow): ReactElement {
  return (
    <>
      <TimeCell ms={row.eventTimeMs} />
      <TimeCell ms={row.receivedTimeMs} />
      <TimeCell ms={row.watermarkMs} />
      <span
        role="gridcell"
        className="late-by"
        title={`its event time is ${formatDuration(row.lateByMs)} below the watermark that held at its offset`}
      >
        {formatDuration(row.lateByMs)}
      </span>
      <FeedCell text={row.wiki} />
      <FeedCell text={row.title} className="title" />
      <FeedCell text={row.user} className="user" />
    </>
  );
}

/** The watermark of the newest commit; the rows below are compared with the one at their own offset. */
function WatermarkNow(): ReactElement {
  const watermarkMs = useStatus(({ status }) => status?.pipeline?.watermarkMs ?? null);
  return (
    <RoomFact
      name="watermark now"
      value={watermarkMs === null ? "none yet" : formatTime(watermarkMs)}
      hint={watermarkMs === null ? "no event has set it" : formatUtc(watermarkMs)}
    />
  );
}

/** Rows that came after the watermark had passed their event time, and how late rows are in all. */
export function LateArrivalsPanel(): ReactElement {
  const { lateArrivals } = useAppStores();
  const answer = useStore(lateArrivals.store, (state) => state.answer);
  const { count = 0, largestMs = null, buckets = [] } = answer?.facts ?? {};
  return (
    <RoomView
      room={lateArrivals}
      panel="late-arrivals"
      name="Late arrivals"
      cells={lateCells}
      total={count}
      whenEmpty={WHEN_EMPTY}
    >
      <div className="room-head">
        <div className="room-facts">
          <LedgerFact
            name="late arrivals"
            count={count}
            inLedger={answer?.ledger["late"]}
            snapshotId={answer?.snapshotId ?? 0}
          />
          <RoomFact
            name="the latest is late by"
            value={largestMs === null ? "—" : formatDuration(largestMs)}
          />
          <WatermarkNow />
        </div>
        <LatenessChart buckets={buckets} />
        <WatermarkChart rows={answer?.rows ?? []} />
      </div>
    </RoomView>
  );
}
