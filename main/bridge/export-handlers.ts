import type { CommandArguments, CommandHandlers } from "#main/contract/commands.ts";
import type { AppEvents } from "#main/contract/events.ts";
import type { QueryProgress } from "#pipeline/protocol/query-messages.ts";
import { AppError } from "#storage/model/errors.ts";
import type { Engine } from "../engine/engine-contract.ts";
import { askEngine } from "./ask-engine.ts";
import type { CancellableRuns } from "./cancellable-runs.ts";

/** What exports need of the desktop. */
export type FilePorts = {
  /** Asks the user where to save a file; null = nowhere. */
  readonly chooseSavePath: (suggestedName: string) => Promise<string | null>;
  /** Asks the user for the name of a folder that is to be made; null = none. */
  readonly chooseNewFolder: (suggestedName: string) => Promise<string | null>;
  readonly showInFolder: (path: string) => void;
  /** Tells the windows how far a run is. */
  readonly tellProgress: (progress: AppEvents["progress"]) => void;
};

type ExportCommands = Pick<CommandHandlers, "export.save" | "export.set" | "export.show">;

/** Paths remembered for "show in folder"; older ones are forgotten. */
const MAX_EXPORTED_PATHS = 100;

function suggestedName({ what, asOf, format }: CommandArguments<"export.save">): string {
  const stem = "table" in what ? what.table.replaceAll(/[^\p{L}\p{N}_.-]/gu, "_") : "result";
  return `${stem}${asOf === null ? "" : `-${asOf}`}.${format}`;
}

function suggestedFolder({ tables, asOf }: CommandArguments<"export.set">, snapshotId: number): string {
  return `highwater-${typeof tables === "string" ? tables : "tables"}-${asOf ?? snapshotId}`;
}

/** Handlers of exports: the user chooses the place, the query worker writes, progress goes to the windows. */
export function createExportHandlers(
  engine: Pick<Engine, "query" | "status">,
  ports: FilePorts,
  runs: CancellableRuns,
): ExportCommands {
  const exported = new Set<string>();
  const remember = (path: string): void => {
    exported.add(path);
    for (const oldest of exported) {
      if (exported.size <= MAX_EXPORTED_PATHS) break;
      exported.delete(oldest);
    }
  };
  const tellOf =
    (runId: string) =>
    ({ done, what }: QueryProgress): void =>
      ports.tellProgress({ runId, done, what });
  return {
    "export.save": (args) =>
      runs.during(args.runId, async (signal) => {
        const path = await ports.chooseSavePath(suggestedName(args));
        if (path === null) return null;
        const { what, asOf, format, runId } = args;
        const [table, sql] = "table" in what ? [what.table, null] : [null, what.sql];
        const request = { ask: "export", table, sql, asOf, path, format, writtenBy: writer(engine) } as const;
        const { ask: _, ...result } = await askEngine(engine, request, signal, tellOf(runId));
        remember(result.path);
        return result;
      }),
    "export.set": (args) =>
      runs.during(args.runId, async (signal) => {
        const snapshotId = engine.status().pipeline?.snapshotId ?? 0;
        const folder = await ports.chooseNewFolder(suggestedFolder(args, snapshotId));
        if (folder === null) return null;
        const { tables, asOf, format, runId } = args;
        const request = {
          ask: "export-set",
          tables,
          asOf,
          folder,
          format,
          writtenBy: writer(engine),
        } as const;
        const { ask: _, ...result } = await askEngine(engine, request, signal, tellOf(runId));
        remember(result.folder);
        return result;
      }),
    "export.show": async ({ path }) => {
      // Only what this app wrote: a page that was taken over must not open the file manager anywhere.
      if (!exported.has(path))
        throw new AppError("usage", "only a file exported in this session can be shown");
      ports.showInFolder(path);
      return null;
    },
  };
}

function writer(engine: Pick<Engine, "status">): string {
  return `Highwater ${engine.status().version}`;
}
