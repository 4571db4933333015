import type { CommandArguments, CommandHandlers } from "#main/contract/commands.ts";
import { AppError } from "#storage/model/errors.ts";
import type { Engine } from "../engine/engine-contract.ts";
import { askEngine } from "./ask-engine.ts";
import { CancellableRuns } from "./cancellable-runs.ts";

/** What exports need of the desktop. */
export type FilePorts = {
  /** Asks the user where to save; null = nowhere. */
  readonly chooseSavePath: (suggestedName: string) => Promise<string | null>;
  readonly showInFolder: (path: string) => void;
};

type LakeCommands = Pick<
  CommandHandlers,
  "sql.run" | "lake.snapshots" | "export.save" | "export.show" | "run.cancel"
>;

/** Paths remembered for "show in folder"; older ones are forgotten. */
const MAX_EXPORTED_PATHS = 100;

function suggestedName({ what, asOf, format }: CommandArguments<"export.save">): string {
  const stem = "table" in what ? what.table.replaceAll(/[^\p{L}\p{N}_.-]/gu, "_") : "result";
  return `${stem}${asOf === null ? "" : `-${asOf}`}.${format}`;
}

/** Handlers of what a window asks of the lake: statements, snapshots, exports. */
export function createLakeHandlers(engine: Pick<Engine, "query">, ports: FilePorts): LakeCommands {
  const runs = new CancellableRuns();
  const exported = new Set<string>();
  return {
    "sql.run": ({ runId, ...statement }) =>
      runs.during(runId, async (signal) => {
        const { ask: _, ...result } = await askEngine(engine, { ask: "sql", ...statement }, signal);
        return result;
      }),
    "lake.snapshots": async ({ limit }) => {
      const { snapshots } = await askEngine(engine, { ask: "snapshots", limit });
      return { snapshots };
    },
    "export.save": (args) =>
      runs.during(args.runId, async (signal) => {
        const path = await ports.chooseSavePath(suggestedName(args));
        if (path === null) return null;
        const { what, asOf, format } = args;
        const [table, sql] = "table" in what ? [what.table, null] : [null, what.sql];
        const request = { ask: "export", table, sql, asOf, path, format } as const;
        const { ask: _, ...result } = await askEngine(engine, request, signal);
        exported.add(result.path);
        for (const oldest of exported) {
          if (exported.size <= MAX_EXPORTED_PATHS) break;
          exported.delete(oldest);
        }
        return result;
      }),
    "export.show": async ({ path }) => {
      // Only what this app wrote: a page that was taken over must not open the file manager anywhere.
      if (!exported.has(path))
        throw new AppError("usage", "only a file exported in this session can be shown");
      ports.showInFolder(path);
      return null;
    },
    "run.cancel": async ({ runId }) => {
      runs.cancel(runId);
      return null;
    },
  };
}
