import type { ReactElement } from "react";
import type { AppStatus } from "#main/contract/app-status.ts";
import { reconnects, sourceGaps } from "#main/contract/source-details.ts";
import { formatBytes, formatCount, formatDuration, formatUtc } from "#renderer/components/format.ts";
import { Icon } from "#renderer/components/icon.tsx";
import { CommandButton } from "../command-button.tsx";
import { describeSource, formatSeconds } from "../status-items.ts";

type Detail = {
  readonly name: string;
  readonly value: string;
  readonly hint: string;
  readonly tone?: "warn";
};

function details(status: AppStatus): readonly Detail[] {
  const { ingest, atMs } = status;
  const { word } = describeSource(status);
  const state: Detail = { name: "state", value: word, hint: word };
  if (ingest === null) return [state];
  const gaps = sourceGaps(status);
  const last = ingest.lastRecordMs;
  const ago = last === null ? "none yet" : `${formatSeconds(atMs - last)} ago`;
  const offset = ingest.serverOffsetMs;
  return [
    state,
    {
      name: "last record",
      value: ago,
      hint: last === null ? "nothing was received" : `received ${formatUtc(last)}`,
    },
    { name: "in the log", value: formatCount(ingest.head), hint: "offset of the newest record that is kept" },
    {
      name: "reconnects",
      value: formatCount(reconnects(status)),
      hint: "connections of this run after the first one",
    },
    {
      name: "cut frames",
      value: formatCount(ingest.cutFrames),
      hint: "frames without their end; they are sent again by the source",
    },
    {
      name: "gaps",
      value: gaps.length === 0 ? "none" : gaps.join(", "),
      hint: "source offsets that did not arrive, by how they stand",
      ...(gaps.length === 0 ? {} : { tone: "warn" as const }),
    },
    ...(offset === null
      ? []
      : [
          {
            name: "server's clock",
            value: `${offset < 0 ? "−" : "+"}${formatDuration(Math.abs(offset))}`,
            hint: "server's clock minus this one",
          },
        ]),
    { name: "received", value: formatBytes(ingest.appendedBytes), hint: "by this run, before compression" },
  ];
}

function Buttons({ status }: { readonly status: AppStatus }): ReactElement {
  const state = status.ingest?.connection.state;
  const isPaused = state === "paused";
  return (
    <div className="source-buttons" role="toolbar" aria-label="Source">
      <CommandButton
        command={status.isSourceStopped ? "source.start" : "source.stop"}
        className="icon-button"
      >
        <Icon name={status.isSourceStopped ? "debug-start" : "debug-stop"} />
      </CommandButton>
      {status.isSourceStopped ? null : (
        <CommandButton command={isPaused ? "source.resume" : "source.pause"} className="icon-button">
          <Icon name={isPaused ? "debug-continue" : "debug-pause"} />
        </CommandButton>
      )}
      <CommandButton command="source.retry" className="icon-button">
        <Icon name="refresh" />
      </CommandButton>
      <CommandButton command="source.open-file" className="icon-button">
        <Icon name="folder-opened" />
      </CommandButton>
    </div>
  );
}

/** What the running source last said, and what can be done with it. */
export function SourceDetails({ status }: { readonly status: AppStatus }): ReactElement {
  const url = status.ingest?.url ?? status.liveFeed.url;
  return (
    <div className="source-details">
      <Buttons status={status} />
      <p className="address selectable" title={url}>
        {url}
      </p>
      {details(status).map(({ name, value, hint, tone }) => (
        <div key={name} className="tree-row" title={hint}>
          <span className="name">{name}</span>
          <span className={`value ${tone === undefined ? "" : `tone-${tone}`}`}>{value}</span>
        </div>
      ))}
    </div>
  );
}
