import type { ReactElement } from "react";
import type { KillCard, KillProgress } from "#main/contract/kill-card.ts";
import { Icon } from "#renderer/components/icon.tsx";
import { formatDuration, formatTime } from "#renderer/components/format.ts";
import { useAppStores, usePipelineRoom } from "#renderer/stores/app-stores.ts";
import { CommandButton } from "#renderer/workbench/command-button.tsx";
import { headline, killFacts, killLines, killTime, toneOfVerdict } from "./kill-text.ts";
import { shownCard } from "./pipeline-room.ts";

const STEP_ICONS = { done: "check", now: "sync", ahead: "circle-outline" } as const;

function Card({ card }: { readonly card: KillCard }): ReactElement {
  return (
    <div className="kill-card" data-verdict={card.verdict} data-nth={card.nth}>
      <div className="selectable">
        <p className={`headline tone-${toneOfVerdict(card.verdict)}`}>{headline(card)}</p>
        <p className="reason">{card.reason}</p>
        {killFacts(card).map((fact) => (
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
      <div className="buttons">
        <CommandButton command="pipeline.copy-card">
          <Icon name="copy" /> Text
        </CommandButton>
        <CommandButton command="pipeline.copy-card-json">
          <Icon name="json" /> JSON
        </CommandButton>
      </div>
    </div>
  );
}

function Steps({ running }: { readonly running: KillProgress }): ReactElement {
  return (
    <ol className="steps" aria-label={`Kill of ${running.worker} under way`}>
      {killLines(running).map(({ text, state }) => (
        <li key={text} className={state} aria-current={state === "now" ? "step" : undefined}>
          <Icon name={STEP_ICONS[state]} /> {text}
        </li>
      ))}
    </ol>
  );
}

function EarlierCards({ shown }: { readonly shown: number }): ReactElement | null {
  const { pipelineRoom } = useAppStores();
  const cards = usePipelineRoom((state) => state.cards);
  if (cards.length < 2) return null;
  return (
    <ul className="earlier" aria-label="Last kills">
      {cards.map((card) => (
        <li key={card.nth}>
          <button
            type="button"
            aria-pressed={card.nth === shown}
            title={`${headline(card)}: ${card.reason}`}
            onClick={() => pipelineRoom.chooseCard(card.nth)}
          >
            <span className="time">{formatTime(killTime(card))}</span>
            <span className="who">{card.worker}</span>
            <span className={`verdict tone-${toneOfVerdict(card.verdict)}`}>{card.verdict}</span>
            <span className="took">{card.recoveryMs === null ? "—" : formatDuration(card.recoveryMs)}</span>
          </button>
        </li>
      ))}
    </ul>
  );
}

function Nothing(): ReactElement {
  return (
    <p className="quiet">
      Kill a worker: it is stopped inside its work and ended with SIGKILL, and what comes of the data is
      checked here.
    </p>
  );
}

function titleOf(kill: KillProgress | KillCard | null): string {
  return kill === null ? "Last kill" : `Kill ${kill.nth} · ${kill.worker}`;
}

/** The last kill: its steps while it runs, then its card. An older card stays, dimmed, until the new one is there. */
export function KillResult(): ReactElement {
  const card = usePipelineRoom(shownCard);
  const running = usePipelineRoom((state) => state.running);
  const error = usePipelineRoom((state) => state.error);
  return (
    <section className={`room-card proof verdict-${card?.verdict ?? "none"}`} aria-label="Last kill">
      <header>
        <h2>{titleOf(running ?? card)}</h2>
        {card === null || running !== null ? null : (
          <span className="summary">{formatTime(killTime(card))}</span>
        )}
      </header>
      {running === null ? null : <Steps running={running} />}
      {error === null ? null : (
        <p className="tone-warn" role="alert">
          {error.message}
        </p>
      )}
      {card === null ? (
        running === null && <Nothing />
      ) : (
        <div className={running === null ? "" : "dimmed"}>
          <Card card={card} />
          <EarlierCards shown={card.nth} />
        </div>
      )}
    </section>
  );
}
