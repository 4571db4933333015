import type { AppStatus } from "#main/contract/app-status.ts";
import type { KillCard } from "#main/contract/kill-card.ts";
import { formatCount, formatDuration } from "#renderer/components/format.ts";

/** One of the three first steps. */
export type WelcomeStep = {
  readonly id: "connect" | "watch" | "kill";
  readonly title: string;
  /** What is so now, in a sentence with its numbers. */
  readonly text: string;
  readonly isDone: boolean;
  /** What the user can do; commands of the window. */
  readonly actions: readonly { readonly label: string; readonly command: string }[];
};

/** What the steps are told from. */
export type WelcomeInput = {
  readonly status: AppStatus | null;
  readonly hasWatched: boolean;
  readonly isKilling: boolean;
  readonly card: KillCard | null;
};

/** The way of a newcomer: a stream, its records, a kill that loses nothing. A step is done when it was seen, not when it was clicked. */
export function welcomeSteps(input: WelcomeInput): readonly WelcomeStep[] {
  return [connectStep(input.status), watchStep(input), killStep(input)];
}

function connectStep(status: AppStatus | null): WelcomeStep {
  const ledger = status?.pipeline?.ledger ?? {};
  // The log's own first record came from nobody.
  const received = (ledger["received"] ?? 0) - (ledger["control"] ?? 0);
  const isDone = received > 0;
  const isDemo = status?.mode === "demo";
  const source = isDemo ? "the built-in demo feed (invented edits)" : (status?.source ?? "the feed");
  const text = isDone
    ? `${formatCount(received)} records came from ${source} and are kept on this computer.`
    : `Connecting to ${source} …`;
  const other = isDemo
    ? { label: "Go live", command: "source.use-live" }
    : { label: "Use invented edits", command: "source.use-demo" };
  return { id: "connect", title: "Connect", text, isDone, actions: [other] };
}

function watchStep({ status, hasWatched }: WelcomeInput): WelcomeStep {
  const pipeline = status?.pipeline ?? null;
  const silver = pipeline?.ledger["silver"] ?? 0;
  const fresh = pipeline?.freshnessMs ?? null;
  const text =
    silver === 0 || pipeline === null
      ? "Each record is checked, counted once and written to open tables."
      : `${formatCount(silver)} edits are in the tables, as of snapshot ${formatCount(pipeline.snapshotId)}${fresh === null ? "" : `, ${formatDuration(fresh)} after they came`}.`;
  const actions = [
    { label: "Watch the edits", command: "go.live-edits" },
    { label: "See their way", command: "go.pipeline" },
  ];
  return { id: "watch", title: "Watch", text, isDone: hasWatched && silver > 0, actions };
}

function killStep({ status, isKilling, card }: WelcomeInput): WelcomeStep {
  const action = { label: "Kill the pipeline and check", command: "pipeline.kill-pipeline" };
  const canKill = !isKilling && (status?.pipeline?.snapshotId ?? 0) > 0;
  const base = { id: "kill", title: "Kill and see", actions: canKill ? [action] : [] } as const;
  if (isKilling)
    return {
      ...base,
      isDone: false,
      text: "The worker is killed inside its work; then the tables are checked …",
    };
  if (card === null)
    return {
      ...base,
      isDone: false,
      text: "End a worker in the middle of its work, and see whether anything was lost.",
    };
  return { ...base, isDone: card.verdict === "pass", text: tellCard(card) };
}

function tellCard({ verdict, lost, doubled, recoveryMs, reason }: KillCard): string {
  if (verdict !== "pass") return `${verdict === "fail" ? "Failed" : "Inconclusive"}: ${reason}.`;
  const back = recoveryMs === null ? "" : `, back after ${formatDuration(recoveryMs)}`;
  return `Killed${back}: ${formatCount(lost ?? 0)} lost, ${formatCount(doubled ?? 0)} doubled.`;
}
