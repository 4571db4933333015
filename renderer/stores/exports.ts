import type { Bridge } from "#main/contract/bridge.ts";
import type { CommandArguments, CommandResults } from "#main/contract/commands.ts";
import { call } from "#renderer/bridge/call.ts";
import { formatBytes, formatCount } from "#renderer/components/format.ts";
import type { WireError } from "#storage/model/errors.ts";
import type { Notifications } from "./notifications.ts";

/** Format of exported files. */
export type ExportFormat = CommandArguments<"export.save">["format"];

type SetOfTables = CommandArguments<"export.set">["tables"];
type SavedFile = NonNullable<CommandResults["export.save"]>;
type SavedSet = NonNullable<CommandResults["export.set"]>;

/** Exports that run, as notifications with progress and Cancel; their outcome says what was written and shows it. */
export class Exports {
  readonly #bridge: Bridge;
  readonly #notifications: Notifications;
  /** Notification of each run under way. */
  readonly #open = new Map<string, string>();
  #runs = 0;

  constructor(bridge: Bridge, notifications: Notifications) {
    this.#bridge = bridge;
    this.#notifications = notifications;
  }

  /** Hears how far the runs are; returns the end of it. */
  connect(): () => void {
    return this.#bridge.on("progress", ({ runId, done, what }) => {
      const id = this.#open.get(runId);
      if (id !== undefined) this.#notifications.change(id, { progress: { done, text: what } });
    });
  }

  /** Writes one table of a snapshot (null = the newest) to a file that the user chooses. */
  async saveTable(table: string, asOf: number | null, format: ExportFormat): Promise<void> {
    await this.#saveFile({ table }, `Exporting ${table}`, asOf, format);
  }

  /** Writes the whole result of a statement at a snapshot to a file that the user chooses. */
  async saveStatement(sql: string, asOf: number | null, format: ExportFormat): Promise<void> {
    await this.#saveFile({ sql }, "Exporting the result", asOf, format);
  }

  /** Writes tables of one snapshot with their manifest into a folder that the user names. */
  async saveSet(tables: SetOfTables, asOf: number | null, format: ExportFormat): Promise<void> {
    const words = { gold: "the gold tables", all: "all tables" } as const;
    const name = typeof tables === "string" ? words[tables] : `${tables.length} tables`;
    await this.#run(`Exporting ${name}`, async (runId) => {
      const answer = await call(this.#bridge, "export.set", { runId, tables, asOf, format });
      if (!answer.ok) return answer;
      return { ok: true, value: answer.value === null ? null : this.#tellSet(answer.value) };
    });
  }

  async #saveFile(
    what: CommandArguments<"export.save">["what"],
    text: string,
    asOf: number | null,
    format: ExportFormat,
  ): Promise<void> {
    await this.#run(text, async (runId) => {
      const answer = await call(this.#bridge, "export.save", { runId, what, asOf, format });
      if (!answer.ok) return answer;
      return { ok: true, value: answer.value === null ? null : this.#tellFile(answer.value) };
    });
  }

  async #run(text: string, work: (runId: string) => Promise<Outcome>): Promise<void> {
    this.#runs += 1;
    const runId = `export-${this.#runs}`;
    const cancel = {
      label: "Cancel",
      keepsOpen: true,
      run: () => void call(this.#bridge, "run.cancel", { runId }),
    };
    const progress = { done: null, text: "choose where to save" };
    const id = this.#notifications.tell({ tone: "info", text, progress, actions: [cancel] });
    this.#open.set(runId, id);
    const outcome = await work(runId);
    this.#open.delete(runId);
    if (outcome.ok && outcome.value === null) return this.#notifications.remove(id);
    const told = outcome.ok ? outcome.value : tellError(text, outcome.error);
    this.#notifications.change(id, { progress: null, actions: [], ...told });
  }

  #tellFile({ path, rows, bytes, snapshotId, openRows, sha256 }: SavedFile): Told {
    return {
      tone: "ok",
      text: `${formatCount(rows)} rows of snapshot ${formatCount(snapshotId)} written to ${fileName(path)} (${formatBytes(bytes)}).`,
      detail: `${openText(openRows)}SHA-256 ${sha256}, also in the manifest beside it. ${path}`,
      actions: [this.#show(path)],
    };
  }

  #tellSet({ folder, files, snapshotId }: SavedSet): Told {
    const rows = files.reduce((sum, file) => sum + file.rows, 0);
    const bytes = files.reduce((sum, file) => sum + file.bytes, 0);
    const open = files.reduce((sum, file) => sum + (file.openRows ?? 0), 0);
    return {
      tone: "ok",
      text: `${files.length} ${files.length === 1 ? "table" : "tables"} of snapshot ${formatCount(snapshotId)} written to ${fileName(folder)}: ${formatCount(rows)} rows, ${formatBytes(bytes)}.`,
      detail: `${openText(open)}manifest.json has the SHA-256 of each file. ${folder}`,
      actions: [this.#show(folder)],
    };
  }

  #show(path: string) {
    const run = (): void => {
      void call(this.#bridge, "export.show", { path }).then((answer) => {
        if (!answer.ok) this.#notifications.tell({ tone: "bad", text: answer.error.message });
      });
    };
    return { label: "Show in folder", keepsOpen: true, run };
  }
}

type Told = Parameters<Notifications["tell"]>[0];
type Outcome =
  | { readonly ok: true; readonly value: Told | null }
  | { readonly ok: false; readonly error: WireError };

function fileName(path: string): string {
  return path.split(/[/\\]/u).at(-1) ?? path;
}

function openText(openRows: number | null): string {
  if (openRows === null || openRows === 0) return "";
  return `${formatCount(openRows)} rows are of open windows and may still change. `;
}

function tellError(text: string, error: WireError): Told {
  if (error.code === "statement-cancelled")
    return { tone: "info", text: `${text} was cancelled; nothing was left behind.` };
  return { tone: "bad", text: `${text} failed: ${error.message}` };
}
