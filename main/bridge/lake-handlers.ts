import type { CommandHandlers } from "#main/contract/commands.ts";
import type { Engine } from "../engine/engine-contract.ts";
import { askEngine } from "./ask-engine.ts";
import { CancellableRuns } from "./cancellable-runs.ts";
import { createExportHandlers, type FilePorts } from "./export-handlers.ts";

type LakeCommands = Pick<
  CommandHandlers,
  | "sql.run"
  | "sql.cells"
  | "lake.snapshots"
  | "lake.tables"
  | "export.save"
  | "export.set"
  | "export.show"
  | "run.cancel"
>;

/** What the lake's commands need of the desktop. */
export type LakePorts = FilePorts & {
  /** Hears when the process of a page ends. */
  readonly onPageGone: (listener: () => void) => void;
};

/** Handlers of what a window asks of the lake: statements, tables, snapshots, exports. */
export function createLakeHandlers(engine: Pick<Engine, "query" | "status">, ports: LakePorts): LakeCommands {
  const runs = new CancellableRuns();
  ports.onPageGone(() => runs.cancelOfPage());
  return {
    "sql.run": ({ runId, ...statement }) => {
      const work = async (signal: AbortSignal) => {
        const { ask: _, ...result } = await askEngine(engine, { ask: "sql", ...statement }, signal);
        return result;
      };
      return runs.during(runId, work, { endsWithPage: true });
    },
    "sql.cells": async (args) => {
      const { texts } = await askEngine(engine, { ask: "cells", ...args });
      return { texts };
    },
    "lake.snapshots": async ({ limit }) => {
      const { snapshots } = await askEngine(engine, { ask: "snapshots", limit });
      return { snapshots };
    },
    "lake.tables": async ({ asOf }) => {
      const { snapshotId, tables } = await askEngine(engine, { ask: "tables", asOf });
      return { snapshotId, tables };
    },
    ...createExportHandlers(engine, ports, runs),
    "run.cancel": async ({ runId }) => {
      runs.cancel(runId);
      return null;
    },
  };
}
