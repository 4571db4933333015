import type { KillCard, KillProgress } from "#main/contract/kill-card.ts";
import { formatCount, formatDuration, formatTime, formatUtc } from "#renderer/components/format.ts";

const count = (value: number | null): string => (value === null ? "not counted" : formatCount(value));

/** What a card says in large letters. Zeros only where they were counted. */
export function headline({ verdict, lost, doubled }: KillCard): string {
  if (verdict === "pass") return "0 lost · 0 doubled";
  if (verdict === "inconclusive") return "Inconclusive";
  return lost === null && doubled === null ? "Failed" : `${count(lost)} lost · ${count(doubled)} doubled`;
}

/** Colour of a verdict; a word always stands beside it. */
export function toneOfVerdict(verdict: KillCard["verdict"]): "ok" | "bad" | "none" {
  return verdict === "pass" ? "ok" : verdict === "fail" ? "bad" : "none";
}

function range({ inFlight }: Pick<KillCard, "inFlight">): string {
  if (inFlight === null) return "";
  return `, offsets ${formatCount(inFlight.fromOffset)}–${formatCount(inFlight.toOffset)} in flight`;
}

/** What the next sign of life of a worker is. */
function nextSign(worker: KillCard["worker"]): string {
  return worker === "query" ? "next answer" : "next commit of new records";
}

/** What the card says, line by line; only what is known. */
export function killFacts(card: KillCard): readonly string[] {
  const { failpoint, pid, worker, killedAtMs, backMs, recoveryMs, snapshotBefore, snapshotAfter } = card;
  const at = failpoint === null ? "as it was" : `at ${failpoint}`;
  const process = pid === null ? "" : ` (pid ${pid})`;
  const before = `bronze rows ${count(card.rowsBefore)} at #${formatCount(snapshotBefore)}`;
  return [
    ...(killedAtMs === null ? [] : [`killed ${worker}${process} ${at}${range(card)}`]),
    ...(backMs === null ? [] : [`next process up after ${formatDuration(backMs)}`]),
    ...(recoveryMs === null ? [] : [`${nextSign(worker)} in ${formatDuration(recoveryMs)}`]),
    ...(snapshotAfter === null
      ? [before]
      : [
          `${before} → ${count(card.rowsAfter)} at #${formatCount(snapshotAfter)}`,
          `verified at snapshot #${formatCount(snapshotAfter)}`,
        ]),
  ];
}

/** When the kill was carried out or, where it was not, ordered. */
export function killTime({ killedAtMs, startedMs }: KillCard): number {
  return killedAtMs ?? startedMs;
}

/** The card as text to paste somewhere. */
export function killCardText(card: KillCard): string {
  const title = `Highwater: kill ${card.nth} of the ${card.worker} worker, ${formatUtc(killTime(card))}`;
  return [title, `${headline(card)} (${card.verdict})`, card.reason, ...killFacts(card)].join("\n");
}

/** A step of a running kill: what it is, what is known of it, and whether it is behind us. */
export type KillLine = { readonly text: string; readonly state: "done" | "now" | "ahead" };

function stepLines(running: KillProgress): readonly (readonly [KillProgress["reached"], string])[] {
  const { worker, failpoint, inFlight, killedAtMs, backMs, recoveryMs } = running;
  const isStopped = worker === "ingest" || worker === "pipeline";
  const stopped: readonly (readonly [KillProgress["reached"], string])[] = [
    ["armed", failpoint === null ? "arm a failpoint" : `armed: ${failpoint}`],
    [
      "stopped",
      inFlight === null
        ? "stop inside its work"
        : `stopped inside at offsets ${formatCount(inFlight.fromOffset)}–${formatCount(inFlight.toOffset)}`,
    ],
  ];
  return [
    ...(isStopped ? stopped : []),
    ["killed", killedAtMs === null ? "kill" : `SIGKILL at ${formatTime(killedAtMs)}`],
    ["back", backMs === null ? "back" : `back after ${formatDuration(backMs)}`],
    [
      "committed",
      recoveryMs === null ? nextSign(worker) : `${nextSign(worker)} after ${formatDuration(recoveryMs)}`,
    ],
  ];
}

/** Every step of a kill under way, with the one it is at. */
export function killLines(running: KillProgress): readonly KillLine[] {
  const steps = stepLines(running);
  const done = steps.findIndex(([step]) => step === running.reached) + 1;
  const texts = [...steps.map(([, text]) => text), "verify the lake"];
  return texts.map((text, at) => ({ text, state: at < done ? "done" : at === done ? "now" : "ahead" }));
}
