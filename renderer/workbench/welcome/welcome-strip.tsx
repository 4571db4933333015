import { useEffect, useState, type ReactElement } from "react";
import { Icon } from "#renderer/components/icon.tsx";
import { useAppStores, usePipelineRoom, useStatus, useWorkbench } from "#renderer/stores/app-stores.ts";
import { runCommand } from "../commands.ts";
import { CommandButton } from "../command-button.tsx";
import { welcomeSteps, type WelcomeStep } from "./welcome-steps.ts";

/** So long must the edits have been on screen to have been watched. */
const WATCHED_AFTER_MS = 5_000;

function Step({ step, at }: { readonly step: WelcomeStep; readonly at: number }): ReactElement {
  const stores = useAppStores();
  return (
    <li data-step={step.id} data-done={step.isDone}>
      <h3>
        {step.isDone ? (
          <span className="tone-ok" title="done">
            <Icon name="pass-filled" />
          </span>
        ) : (
          <span className="step-number">{at}</span>
        )}
        {step.title}
        {step.isDone ? <span className="done-word">done</span> : null}
      </h3>
      <p>{step.text}</p>
      <div className="buttons">
        {step.actions.map(({ label, command }) => (
          <button key={command} type="button" onClick={() => runCommand(stores, command)}>
            {label}
          </button>
        ))}
      </div>
    </li>
  );
}

/** Whether Live edits were on screen for a while since this strip was opened. */
function useHasWatched(): boolean {
  const isOpen = useWorkbench((state) => state.activePanel === "live-edits");
  const [hasWatched, setWatched] = useState(false);
  useEffect(() => {
    if (!isOpen) return undefined;
    const timer = setTimeout(() => setWatched(true), WATCHED_AFTER_MS);
    return () => clearTimeout(timer);
  }, [isOpen]);
  return hasWatched;
}

/** Three first steps above the rooms, with the real thing running below them; shown until they are closed. */
export function WelcomeStrip(): ReactElement | null {
  return useWorkbench((state) => state.isWelcomeShown) ? <OpenStrip /> : null;
}

function OpenStrip(): ReactElement {
  const status = useStatus((state) => state.status);
  const card = usePipelineRoom((state) => state.cards[0] ?? null);
  const isKilling = usePipelineRoom((state) => state.running !== null);
  const steps = welcomeSteps({ status, hasWatched: useHasWatched(), isKilling, card });
  return (
    <section className="welcome" aria-label="Welcome">
      <header>
        <h2>Welcome to Highwater: see it, break it, trust it</h2>
        <CommandButton command="welcome.toggle" className="icon-button">
          <Icon name="close" />
        </CommandButton>
      </header>
      <ol>
        {steps.map((step, index) => (
          <Step key={step.id} step={step} at={index + 1} />
        ))}
      </ol>
    </section>
  );
}
