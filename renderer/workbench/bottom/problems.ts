import type { AppStatus } from "#main/contract/app-status.ts";
import { formatCount, formatDuration } from "#renderer/components/format.ts";

/** Something that is not as it should be now, with what to do about it. */
export type Problem = {
  readonly id: string;
  readonly tone: "info" | "warn" | "bad";
  readonly text: string;
  readonly detail: string;
  /** Command of the window that helps, with its words; null where only the user can do something. */
  readonly action: { readonly label: string; readonly command: string } | null;
};

const ORDER = { bad: 0, warn: 1, info: 2 } as const;

/** Everything that needs attention now, worst first: banners, workers that are away, holes and losses, dead letters. */
export function listProblems(status: AppStatus | null): readonly Problem[] {
  if (status === null) return [];
  const all = [...ofBanners(status), ...ofWorkers(status), ...ofPipeline(status)];
  return all.toSorted((left, right) => ORDER[left.tone] - ORDER[right.tone]);
}

/** How many of them are more than information: the number on the tab and in the status bar. */
export function countProblems(problems: readonly Problem[]): number {
  return problems.filter(({ tone }) => tone !== "info").length;
}

function ofBanners({ banners }: AppStatus): readonly Problem[] {
  return banners.map(({ id, tone, title, detail, action }) => ({
    id: `banner-${id}`,
    tone,
    text: title,
    detail,
    action,
  }));
}

function ofWorkers({ workers, atMs }: AppStatus): readonly Problem[] {
  return workers.flatMap(({ name, phase }): Problem[] => {
    const output = { label: "Show its log", command: `output.${name}` };
    if (phase.state === "hanging") {
      const detail = `silent since ${formatDuration(atMs - phase.sinceMs)}; it is restarted when it stays so`;
      return [
        {
          id: `hangs-${name}`,
          tone: "warn",
          text: `The ${name} worker does not answer`,
          detail,
          action: output,
        },
      ];
    }
    if (phase.state === "backing-off") {
      const detail = `started again in ${formatDuration(Math.max(0, phase.untilMs - atMs))}`;
      return [{ id: `away-${name}`, tone: "warn", text: `The ${name} worker ended`, detail, action: output }];
    }
    // What gave up has a banner with the remedy already.
    return [];
  });
}

function ofPipeline({ pipeline }: AppStatus): readonly Problem[] {
  if (pipeline === null) return [];
  const problems: Problem[] = [];
  const letters = pipeline.ledger["dead_letter"] ?? 0;
  if (letters > 0) {
    const text = `${formatCount(letters)} ${letters === 1 ? "record was" : "records were"} set aside`;
    const detail = `dead letters with rule, reason and original bytes, as of snapshot ${formatCount(pipeline.snapshotId)}`;
    const action = { label: "Open Dead letters", command: "dead-letters.open" };
    problems.push({ id: "dead-letters", tone: "info", text, detail, action });
  }
  for (const { topic, fromOffset, toOffset, state } of pipeline.activeHoles.newest) {
    const detail = `topic ${topic}, source offsets ${formatCount(fromOffset)} to ${formatCount(toOffset)}: ${state}`;
    const text = "Source offsets did not arrive";
    problems.push({ id: `hole-${topic}-${fromOffset}`, tone: "warn", text, detail, action: null });
  }
  for (const { fromOffset, toOffset, reason } of pipeline.losses.newest) {
    const detail = `log offsets ${formatCount(fromOffset)} to ${formatCount(toOffset)}: ${reason}`;
    problems.push({
      id: `loss-${fromOffset}`,
      tone: "warn",
      text: "Records may be missing",
      detail,
      action: null,
    });
  }
  return problems;
}
