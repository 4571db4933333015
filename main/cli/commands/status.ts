import { existsSync } from "node:fs";
import { dataFolderAt } from "#storage/files/data-folder.ts";
import { askHolder, socketAddress } from "../../engine/fence.ts";
import { waitingWindowRows } from "../../contract/source-activity.ts";
import {
  describeSource,
  formatBanner,
  formatSettings,
  formatStatusLine,
} from "../../headless/terminal-text.ts";
import type { AppStatus, WorkerStatus } from "../../contract/app-status.ts";
import { askOnce } from "../ask-query-worker.ts";
import { type Command, EXIT } from "../command.ts";
import { dataFolderFlag } from "../data-flag.ts";

/** `highwater status`: what runs on a data folder, or what lies in it when nothing does. */
export const statusCommand: Command = {
  name: "status",
  summary: "what runs on a data folder, with its workers",
  usage: "highwater status [--data DIR] [--json]",
  examples: ["highwater status", "highwater status --data /tmp/hw --json"],
  options: {},
  flagHelp: {},
  run: async ({ flags, output }) => {
    const folder = dataFolderAt(dataFolderFlag(flags, "live"));
    const answer = await askHolder(socketAddress(folder.socket), { ask: "status" });
    const status = parseStatus(answer);
    if (status !== null) {
      output.line(formatStatusLine(status));
      for (const worker of status.workers) output.line(`  ${describeWorker(worker)}`);
      for (const line of formatSettings(status)) output.line(`  ${line}`);
      for (const banner of status.banners) output.line(`  ${banner.tone}: ${formatBanner(banner)}`);
      output.json({
        running: true,
        state: describeSource(status),
        waitingWindowRows: waitingWindowRows(status),
        ...status,
        workers: status.workers.map((worker) => ({ ...worker, pid: pidOf(worker) })),
      });
      return EXIT.ok;
    }
    const snapshots = existsSync(folder.catalog)
      ? await askOnce(folder.root, { ask: "snapshots", limit: 1 })
      : null;
    const newest = snapshots?.ask === "snapshots" ? (snapshots.snapshots[0] ?? null) : null;
    output.line(`nothing runs on ${folder.root}`);
    if (newest !== null)
      output.line(`  newest snapshot ${newest.snapshotId}, ${new Date(newest.commitTimeMs).toISOString()}`);
    output.json({ running: false, dataFolder: folder.root, workers: [], snapshot: newest });
    return EXIT.ok;
  },
};

function pidOf({ phase }: WorkerStatus): number | null {
  return "pid" in phase ? phase.pid : null;
}

function describeWorker(worker: WorkerStatus): string {
  const pid = pidOf(worker);
  const where = pid === null ? "" : ` pid ${pid}`;
  const restarts =
    worker.restarts === 0
      ? ""
      : ` · restarted ${worker.restarts} times (last: ${worker.lastExit?.how ?? "unknown"})`;
  return `${worker.name} ${worker.phase.state}${where}${restarts}`;
}

/** The holder is this same program, of the same user; only the envelope is looked at. */
function parseStatus(answer: unknown): AppStatus | null {
  if (typeof answer !== "object" || answer === null || !("status" in answer)) return null;
  return answer.status as AppStatus;
}
