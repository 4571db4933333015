import { z } from "zod";
import type { LiveRow, RecordView } from "#pipeline/protocol/query-messages.ts";
import type { AppStatus } from "./app-status.ts";
import type { KillCard } from "./kill-card.ts";

const offset = z.int().min(0);
const none = z.strictObject({});

/** Arguments of every command a window may send; main checks them before a handler sees them. */
export const commandSchemas = {
  "app.status": none,
  "source.pause": none,
  "source.resume": none,
  "source.retry": none,
  "source.use-demo": none,
  "source.use-live": none,
  "live.rows": z.strictObject({ fromOffset: offset, toOffset: offset, limit: z.int().min(1).max(2_000) }),
  "live.record": z.strictObject({ logOffset: offset }),
  /** Stops a worker inside its work, kills it there and proves what came of it; takes as long as reading the whole lake. */
  "worker.kill": z.strictObject({ worker: z.enum(["ingest", "pipeline", "query"]) }),
  "link.open": z.strictObject({ url: z.string().max(8_192) }),
  "theme.set": z.strictObject({ theme: z.enum(["system", "dark", "light"]) }),
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
  "live.rows": {
    readonly snapshotId: number;
    readonly checkpoint: number;
    readonly rows: readonly LiveRow[];
  };
  "live.record": { readonly snapshotId: number; readonly record: RecordView | null };
  "worker.kill": KillCard;
  "link.open": { readonly opened: boolean; readonly reason: string };
  "theme.set": null;
};

/** Handlers of all commands; a missing one does not compile. */
export type CommandHandlers = {
  readonly [C in CommandName]: (args: CommandArguments<C>) => Promise<CommandResults[C]>;
};
