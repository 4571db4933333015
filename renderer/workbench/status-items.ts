import type { AppStatus, WorkerStatus } from "#main/contract/app-status.ts";
import { type SourceActivity, sourceActivity, waitingWindowRows } from "#main/contract/source-activity.ts";
import type { ConnectionState } from "#pipeline/protocol/telemetry.ts";
import { formatCount, formatDuration, formatRate } from "#renderer/components/format.ts";
import { countProblems, listProblems } from "./bottom/problems.ts";

/** How a thing stands. Green (`ok`) only for what was seen to work just now; `none` is grey. */
export type Tone = "ok" | "warn" | "bad" | "none";

/** One entry of the status bar. `id` is stable, for tests and keys; `hint` is the tooltip. */
export type StatusItem = {
  readonly id: string;
  readonly text: string;
  readonly tone: Tone;
  readonly icon: string | null;
  readonly hint: string;
};

/** How long a restart is told in the status bar; longer than a glance, shorter than a coffee. */
export const RESTART_TOLD_MS = 120_000;

/** The source in words with its tone; times are the status's own, so that nothing here reads a clock. */
export function describeSource(status: AppStatus): { readonly word: string; readonly tone: Tone } {
  if (status.isSourceStopped) return { word: "stopped by you", tone: "none" };
  const connection = status.ingest?.connection ?? null;
  return connection?.state === "open"
    ? describeActivity(sourceActivity(status), status.atMs)
    : describeConnection(connection, status.atMs);
}

function describeActivity(
  activity: SourceActivity | null,
  nowMs: number,
): { readonly word: string; readonly tone: Tone } {
  switch (activity?.kind) {
    case "edits":
      return { word: "receiving", tone: "ok" };
    case "no-edits": {
      const { sinceMs } = activity;
      const since = sinceMs === null ? "" : ` for ${formatSeconds(nowMs - sinceMs)}`;
      return { word: `alive, no edits${since}`, tone: "none" };
    }
    case "quiet":
      return { word: `connected, nothing for ${formatSeconds(nowMs - activity.sinceMs)}`, tone: "none" };
    case "nothing-yet":
    case undefined:
      return { word: "connected, no records", tone: "none" };
  }
}

/** Whole seconds: these words change with every status and must not flicker. */
export function formatSeconds(ms: number): string {
  const seconds = Math.max(0, Math.floor(ms / 1_000));
  return seconds < 60 ? `${seconds} s` : formatDuration(seconds * 1_000);
}

function describeConnection(
  connection: Exclude<ConnectionState, { state: "open" }> | null,
  nowMs: number,
): { readonly word: string; readonly tone: Tone } {
  if (connection === null) return { word: "starting", tone: "none" };
  switch (connection.state) {
    case "idle":
      return { word: "not started", tone: "none" };
    case "connecting":
      return {
        word: connection.attempt > 1 ? `connecting, try ${connection.attempt}` : "connecting",
        tone: "none",
      };
    case "backing-off":
      return {
        word: `retry in ${formatWait(connection.untilMs - nowMs)}: ${connection.reason}`,
        tone: "warn",
      };
    case "paused":
      return { word: "paused", tone: "none" };
    case "ended":
      return { word: `ended: ${connection.reason}`, tone: "none" };
    case "failed":
      return { word: `stopped: ${connection.reason}`, tone: "bad" };
  }
}

function formatWait(ms: number): string {
  return `${Math.max(0, Math.ceil(ms / 1_000))} s`;
}

/** `live · recentchange`, or only `demo` where mode and source have one name. */
export function nameSource({ mode, source }: Pick<AppStatus, "mode" | "source">): string {
  return mode === source ? `${mode} feed` : `${mode} · ${source}`;
}

function sourceItem(status: AppStatus): StatusItem {
  const { word, tone } = describeSource(status);
  return {
    id: "source",
    text: `${nameSource(status)} · ${word}`,
    tone,
    icon: tone === "bad" ? "error" : tone === "warn" ? "warning" : "circle-filled",
    hint: status.ingest?.url ?? "the source has not started yet",
  };
}

function item(
  id: string,
  text: string,
  hint: string,
  tone: Tone = "none",
  icon: string | null = null,
): StatusItem {
  return { id, text, hint, tone, icon };
}

function streamItems(status: AppStatus): StatusItem[] {
  const { ingest, pipeline } = status;
  const items: StatusItem[] = [];
  if (ingest !== null) {
    items.push(
      item("rate", formatRate(ingest.recordsPerSecond), "records received per second, over the last 5 s"),
    );
  }
  if (pipeline === null) return items;
  const lag = Math.max(0, Math.max(ingest?.head ?? 0, pipeline.head) - pipeline.checkpoint);
  items.push(item("lag", `lag ${formatCount(lag)}`, "records in the log that are not in the lake yet"));
  if (pipeline.freshnessMs !== null) {
    items.push(
      item(
        "freshness",
        `fresh ${formatDuration(pipeline.freshnessMs)}`,
        "commit time − received time of the newest record of the last commit",
      ),
    );
  }
  items.push(
    item("snapshot", `snapshot ${formatCount(pipeline.snapshotId)}`, "the last commit over all tables"),
  );
  const waiting = waitingWindowRows(status);
  if (waiting > 0) {
    const hint = "rows of open windows; only a later event settles them, never the clock";
    items.push(item("waiting", `${formatCount(waiting)} rows wait for a newer event`, hint, "none", "watch"));
  }
  return items;
}

function problemsItem(status: AppStatus): StatusItem[] {
  const count = countProblems(listProblems(status));
  if (count === 0) return [];
  const text = `${formatCount(count)} ${count === 1 ? "problem" : "problems"}`;
  return [item("problems", text, "what needs attention now", "warn", "warning")];
}

function trouble(status: AppStatus): StatusItem[] {
  const { pipeline } = status;
  if (pipeline === null) return problemsItem(status);
  const items: StatusItem[] = problemsItem(status);
  const deadLetters = pipeline.ledger["dead_letter"] ?? 0;
  const hint = "records set aside with rule, reason and original bytes";
  items.push(
    item(
      "dead-letters",
      `${formatCount(deadLetters)} ${deadLetters === 1 ? "dead letter" : "dead letters"}`,
      hint,
      deadLetters > 0 ? "warn" : "none",
      "mail",
    ),
  );
  const { activeHoles, losses } = pipeline;
  if (activeHoles.count > 0) {
    const text = `${formatCount(activeHoles.count)} open ${activeHoles.count === 1 ? "gap" : "gaps"}`;
    items.push(item("gaps", text, "holes in the source's own offsets", "warn", "warning"));
  }
  if (losses.count > 0) {
    const text = `${formatCount(losses.count)} ${losses.count === 1 ? "loss" : "losses"}`;
    const places = losses.newest.map(
      ({ fromOffset, toOffset, reason }) => `offsets ${fromOffset} to ${toOffset}: ${reason}`,
    );
    items.push(item("losses", text, places.join("\n"), "warn", "warning"));
  }
  if (pipeline.clockWrong) {
    items.push(
      item(
        "clock",
        "clock wrong",
        "this clock and the server's differ by more than 5 minutes",
        "warn",
        "watch",
      ),
    );
  }
  if (pipeline.catalogHeldSinceMs !== null) {
    const held = formatDuration(status.atMs - pipeline.catalogHeldSinceMs);
    items.push(
      pipeline.catalogHeldBy === "disk-full"
        ? item("catalog-held", `disk full ${held}`, "tables wait for free space", "bad", "error")
        : item(
            "catalog-held",
            `catalog held ${held}`,
            "another program holds the catalog open",
            "warn",
            "lock",
          ),
    );
  }
  return items;
}

function workerItem(worker: WorkerStatus, nowMs: number): StatusItem | null {
  const id = `worker-${worker.name}`;
  const { phase, lastExit } = worker;
  const why = lastExit === null ? "" : `: ${lastExit.how}`;
  switch (phase.state) {
    case "running": {
      if (worker.restarts === 0 || lastExit === null || nowMs - lastExit.atMs > RESTART_TOLD_MS) return null;
      const ago = formatDuration(Math.max(0, nowMs - lastExit.atMs));
      const hint = `ended ${ago} ago (${lastExit.how}); runs again as pid ${phase.pid}; ${worker.restarts} restarts in all`;
      return item(id, `${worker.name} restarted`, hint, "warn", "debug-restart");
    }
    case "stopped":
      return item(id, `${worker.name} stopped`, `${worker.name} worker is not running${why}`);
    case "starting":
      return item(id, `${worker.name} starting`, `${worker.name} worker starts${why}`);
    case "hanging":
      return item(id, `${worker.name} hangs`, `pid ${phase.pid} does not answer`, "warn", "warning");
    case "backing-off":
      return item(
        id,
        `${worker.name} restarts in ${formatWait(phase.untilMs - nowMs)}`,
        `ended${why}`,
        "warn",
        "warning",
      );
    case "finished":
      return item(id, `${worker.name} finished`, phase.reason);
    case "gave-up":
      return item(id, `${worker.name} gave up`, phase.error.message, "bad", "error");
  }
}

function workerItems(status: AppStatus): StatusItem[] {
  const running = status.workers.filter((worker) => worker.phase.state === "running");
  const pids = running.map(({ name, phase }) =>
    phase.state === "running" ? `${name} pid ${phase.pid}` : name,
  );
  const count = `${running.length} of ${status.workers.length} workers`;
  const told = status.workers.flatMap((worker) => workerItem(worker, status.atMs) ?? []);
  return [...told, item("workers", count, pids.join("\n"), "none", "server-process")];
}

/** What the status bar says, left and right. Pure: the same status gives the same words. */
export function statusItems(status: AppStatus | null): {
  readonly left: readonly StatusItem[];
  readonly right: readonly StatusItem[];
} {
  if (status === null)
    return { left: [item("source", "starting …", "waiting for the first status")], right: [] };
  const ledgerHint = "the account is shown as counted; `highwater verify` compares it with the data";
  return {
    left: [sourceItem(status), ...streamItems(status), ...trouble(status)],
    right: [
      ...workerItems(status),
      item("ledger", "ledger not checked", ledgerHint, "none", "circle-large-outline"),
    ],
  };
}
