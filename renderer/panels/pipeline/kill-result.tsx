import type { ReactElement } from "react";
import type { KillCard } from "#main/contract/kill-card.ts";
import { Icon } from "#renderer/components/icon.tsx";
import { formatCount, formatDuration, formatTime } from "#renderer/components/format.ts";
import { usePipelineRoom, useStatus } from "#renderer/stores/app-stores.ts";
import { KILL_STEPS, killStep, type RunningKill } from "./kill-progress.ts";

const count = (value: number | null): string => (value === null ? "not counted" : formatCount(value));

function headline({ verdict, lost, doubled }: KillCard): string {
  if (verdict === "pass") return "0 lost · 0 doubled";
  if (verdict === "inconclusive") return "Inconclusive";
  return lost === null && doubled === null ? "Failed" : `${count(lost)} lost · ${count(doubled)} doubled`;
}

/** What the card says, line by line; only what is known. */
function facts(card: KillCard): readonly string[] {
  const { failpoint, inFlight, pid, worker, recoveryMs, snapshotBefore, snapshotAfter } = card;
  const at = failpoint === null ? "as it was" : `at ${failpoint}`;
  const range =
    inFlight === null
      ? ""
      : `, offsets ${formatCount(inFlight.fromOffset)}–${formatCount(inFlight.toOffset)} in flight`;
  const next = worker === "query" ? "next answer" : "next commit of new records";
  return [
    ...(card.killedAtMs === null
      ? []
      : [`killed ${worker}${pid === null ? "" : ` (pid ${pid})`} ${at}${range}`]),
    ...(recoveryMs === null ? [] : [`${next} in ${formatDuration(recoveryMs)}`]),
    `bronze rows ${count(card.rowsBefore)} at #${formatCount(snapshotBefore)}${snapshotAfter === null ? "" : ` → ${count(card.rowsAfter)} at #${formatCount(snapshotAfter)}`}`,
    ...(snapshotAfter === null ? [] : [`verified at snapshot #${formatCount(snapshotAfter)}`]),
  ];
}

function Card({ card }: { readonly card: KillCard }): ReactElement {
  const tone = card.verdict === "pass" ? "ok" : card.verdict === "fail" ? "bad" : "none";
  return (
    <div className="kill-card selectable" data-verdict={card.verdict}>
      <p className={`headline tone-${tone}`}>{headline(card)}</p>
      <p className="reason">{card.reason}</p>
      {facts(card).map((fact) => (
        <p key={fact} className="fact">
          {fact}
        </p>
      ))}
      {card.verdict === "fail" ? (
        <p className="remedy">
          Keep the data folder as it is; `highwater verify` lists every broken promise with its examples.
        </p>
      ) : null}
    </div>
  );
}

function Steps({ running }: { readonly running: RunningKill }): ReactElement {
  const step = useStatus(({ status }) => killStep(running, status));
  return (
    <ol className="steps" aria-label={`Kill of ${running.worker} under way`}>
      {KILL_STEPS.map((name, at) => (
        <li key={name} className={at === step ? "now" : at < step ? "done" : ""}>
          <Icon name={at < step ? "check" : at === step ? "sync" : "circle-outline"} /> {name}
        </li>
      ))}
    </ol>
  );
}

/** The last kill: its steps while it runs, then its card. An older card stays, dimmed, until the new one is there. */
export function KillResult(): ReactElement {
  const { card, running, error } = usePipelineRoom((state) => state);
  return (
    <section className={`room-card proof verdict-${card?.verdict ?? "none"}`} aria-label="Last kill">
      <header>
        <h2>Last kill</h2>
        {card?.killedAtMs === null || card === null ? null : (
          <span className="summary">{formatTime(card.killedAtMs)}</span>
        )}
      </header>
      {running === null ? null : <Steps running={running} />}
      {error === null ? null : (
        <p className="tone-warn" role="alert">
          {error.message}
        </p>
      )}
      {card === null ? (
        running === null ? (
          <p className="quiet">
            Kill a worker: it is stopped inside its work and ended with SIGKILL, and what comes of the data is
            checked here.
          </p>
        ) : null
      ) : (
        <div className={running === null ? "" : "dimmed"}>
          <Card card={card} />
        </div>
      )}
    </section>
  );
}
