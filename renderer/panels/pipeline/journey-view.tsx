import { Fragment, type ReactElement } from "react";
import { Icon } from "#renderer/components/icon.tsx";
import { type RoomId, ROOMS } from "#renderer/panels/rooms.ts";
import { useAppStores, useStatus } from "#renderer/stores/app-stores.ts";
import { openPanel } from "#renderer/stores/workbench-store.ts";
import { journey, type Passage, type Station } from "./journey.ts";

/** Every count of the ledger is of one snapshot, the one that the last station names. */
const NAMED = "counts and rates as of the snapshot at the right end; rates are over the last 5 s";

function useOpenRoom(): (room: RoomId) => void {
  const { workbench } = useAppStores();
  return (room) => openPanel(workbench, room);
}

function titleOf(room: RoomId): string {
  return ROOMS.find(({ id }) => id === room)?.title ?? room;
}

function PassageRow({ passage }: { readonly passage: Passage }): ReactElement {
  const openRoom = useOpenRoom();
  const { label, count, rate, kind, tone, hint, room } = passage;
  const name = kind === "exit" ? `↳ ${label}` : label;
  return (
    <div className={`passage ${kind} tone-${tone}`} title={rate === "" ? hint : `${hint} · ${rate}`}>
      <dt>
        {room === null ? (
          name
        ) : (
          <button
            type="button"
            className="link"
            title={`Open ${titleOf(room)}`}
            onClick={() => openRoom(room)}
          >
            {name}
          </button>
        )}
      </dt>
      <dd className="count">{count}</dd>
      <dd className="rate">{rate}</dd>
    </div>
  );
}

function StationCard({ station }: { readonly station: Station }): ReactElement {
  const openRoom = useOpenRoom();
  const { name, value, word, tone, passages, room } = station;
  return (
    <section className={`station edge-${tone}`} aria-label={name} data-station={name.toLowerCase()}>
      <h3>
        {room === null ? (
          name
        ) : (
          <button
            type="button"
            className="whole"
            title={`Open ${titleOf(room)}`}
            onClick={() => openRoom(room)}
          >
            {name} <Icon name="chevron-right" />
          </button>
        )}
      </h3>
      <span className="number">{value}</span>
      <span className="word" title={word}>
        {word}
      </span>
      <dl>
        {passages.map((passage) => (
          <PassageRow key={passage.label} passage={passage} />
        ))}
      </dl>
    </section>
  );
}

/** A record's way from the source to the snapshot, with both sides of each hop and every way out at its side. */
export function JourneyView(): ReactElement {
  const status = useStatus((state) => state.status);
  if (status === null) return <p className="quiet">Starting …</p>;
  return (
    <div className="journey" role="group" aria-label="A record's journey" title={NAMED}>
      {journey(status).map((station, at) => (
        <Fragment key={station.name}>
          {at === 0 ? null : <Icon name="chevron-right" />}
          <StationCard station={station} />
        </Fragment>
      ))}
    </div>
  );
}
