import { z } from "zod";
import type { LiveRow, QueryResponse, RecordView } from "#pipeline/protocol/query-messages.ts";
import type { AppStatus } from "./app-status.ts";
import type { SettingsView } from "./settings-view.ts";
import { KILLABLE_WORKERS, type KillCard, type KillState } from "./kill-card.ts";
import { THEME_CHOICES, type ThemeChoice } from "./theme.ts";

const offset = z.int().min(0);
const none = z.strictObject({});
/** Snapshot to read at; null = the newest. */
const asOf = z.int().min(0).nullable();
/** Name the window gives to a long question, so that it can cancel it. */
const runId = z.string().min(1).max(64);
/** A statement as typed. 1 MiB is far above what a person writes and far below what a message may carry. */
const statement = z.string().max(1_048_576);

type Answer<Ask extends QueryResponse["ask"]> = Omit<Extract<QueryResponse, { readonly ask: Ask }>, "ask">;

/** Arguments of every command a window may send; main checks them before a handler sees them. */
export const commandSchemas = {
  "app.status": none,
  "source.pause": none,
  "source.resume": none,
  "source.retry": none,
  "source.use-demo": none,
  "source.use-live": none,
  "source.stop": none,
  "source.start": none,
  /** A recording to read; null = ask the user for one. */
  "source.open-file": z.strictObject({ path: z.string().min(1).max(4_096).nullable() }),
  /** Shows the data folder in the file manager. */
  "folder.show": none,
  "settings.read": none,
  "settings.save": z.strictObject({ text: z.string().max(262_144) }),
  "live.rows": z.strictObject({ fromOffset: offset, toOffset: offset, limit: z.int().min(1).max(2_000) }),
  "live.record": z.strictObject({ logOffset: offset }),
  /** Texts above `cellChars` UTF-16 units are cut, without it none is. */
  "sql.run": z.strictObject({
    runId,
    text: statement,
    asOf,
    limit: z.int().min(1).max(10_000),
    cellChars: z.int().min(1).max(1_048_576).optional(),
  }),
  /** Whole texts of cells that a result shows in part. */
  "sql.cells": z.strictObject({
    keptId: z.string().min(1).max(64),
    cells: z.array(z.strictObject({ row: offset, column: offset })).max(100_000),
  }),
  "lake.tables": z.strictObject({ asOf }),
  "lake.snapshots": z.strictObject({ limit: z.int().min(1).max(10_000) }),
  /** Asks where to save, then writes. */
  "export.save": z.strictObject({
    runId,
    what: z.union([
      z.strictObject({ table: z.string().min(1).max(200) }),
      z.strictObject({ sql: statement.min(1) }),
    ]),
    asOf,
    format: z.enum(["parquet", "csv", "ndjson"]),
  }),
  /** Asks for the name of a folder that is not there yet, then writes tables of one snapshot and their manifest into it. */
  "export.set": z.strictObject({
    runId,
    tables: z.union([z.enum(["gold", "all"]), z.array(z.string().min(1).max(200)).min(1).max(100)]),
    asOf,
    format: z.enum(["parquet", "csv", "ndjson"]),
  }),
  /** Ends a statement, an export or a verification; one that is over is no error. */
  "run.cancel": z.strictObject({ runId }),
  /** Shows a file that was exported in this session in its folder. */
  "export.show": z.strictObject({ path: z.string().min(1).max(4_096) }),
  "worker.kill": z.strictObject({ worker: z.enum(KILLABLE_WORKERS) }),
  /** Lines of a log file from a byte on; null = its end. */
  "logs.read": z.strictObject({
    name: z.enum(["main", "ingest", "pipeline", "query", "feed"]),
    fromByte: offset.nullable(),
  }),
  /** The kill under way and the last cards; the event `kill` tells every change. */
  "worker.kills": none,
  "link.open": z.strictObject({ url: z.string().max(8_192) }),
  "theme.set": z.strictObject({ theme: z.enum(THEME_CHOICES) }),
  /** What the window saved last: JSON text of its own making, which main only keeps. */
  "memory.read": none,
  "memory.save": z.strictObject({ text: statement }),
} as const satisfies Record<string, z.ZodType>;

/** Name of a command. */
export type CommandName = keyof typeof commandSchemas;

/** Arguments of a command, already checked. */
export type CommandArguments<C extends CommandName> = z.infer<(typeof commandSchemas)[C]>;

/** What each command answers. A command without an entry does not compile, nor does a handler that answers otherwise. */
export type CommandResults = {
  "app.status": AppStatus;
  "source.pause": null;
  "source.resume": null;
  "source.retry": null;
  "source.use-demo": null;
  "source.use-live": null;
  "source.stop": null;
  "source.start": null;
  /** The file that is read now; null where the user chose none. */
  "source.open-file": { readonly path: string } | null;
  "folder.show": null;
  "settings.read": SettingsView;
  "settings.save": SettingsView;
  "live.rows": {
    readonly snapshotId: number;
    readonly checkpoint: number;
    readonly rows: readonly LiveRow[];
  };
  "live.record": { readonly snapshotId: number; readonly record: RecordView | null };
  "sql.run": Answer<"sql">;
  "sql.cells": Answer<"cells">;
  "lake.snapshots": Answer<"snapshots">;
  "lake.tables": Answer<"tables">;
  /** Null where the user chose no file. */
  "export.save": Answer<"export"> | null;
  "export.set": Answer<"export-set"> | null;
  "run.cancel": null;
  "export.show": null;
  "worker.kill": KillCard;
  "worker.kills": KillState;
  /** `continues`: the text follows what was read before; else it is the end of the file. */
  "logs.read": {
    readonly dataFolder: string;
    readonly text: string;
    readonly toByte: number;
    readonly continues: boolean;
  };
  "link.open": { readonly opened: boolean; readonly reason: string };
  "theme.set": null;
  /** Null for a fresh window. The theme is the user's choice. `setAside`: files that could not be read, by their new paths. */
  "memory.read": {
    readonly text: string | null;
    readonly theme: ThemeChoice;
    readonly setAside: readonly string[];
  };
  "memory.save": null;
};

/** Handlers of all commands; a missing one does not compile. */
export type CommandHandlers = {
  readonly [C in CommandName]: (args: CommandArguments<C>) => Promise<CommandResults[C]>;
};
