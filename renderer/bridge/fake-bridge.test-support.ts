import type { Bridge, BridgeAnswer } from "#main/contract/bridge.ts";
import type { AppStatus } from "#main/contract/app-status.ts";
import type { AppEvents, EventName } from "#main/contract/events.ts";
import type { CommandArguments, CommandName, CommandResults } from "#main/contract/commands.ts";
import type { LiveRow, RecordView } from "#pipeline/protocol/query-messages.ts";
import type { KillCard, KillState } from "#main/contract/kill-card.ts";
import type { WireError } from "#storage/model/errors.ts";
import {
  examplePipeline,
  exampleSettings,
  exampleStatus,
  savedSettings,
} from "#main/bridge/status.test-support.ts";
import { exampleRowCount, exampleRows } from "../panels/live-edits/live-row.test-support.ts";

type Listener = { readonly event: EventName; readonly hear: (payload: never) => void };

type Call = { readonly command: CommandName; readonly args: unknown };

/** A lake in which each offset but multiples of ten is a row; stands in for main behind the bridge. */
export class FakeBridge implements Bridge {
  readonly calls: Call[] = [];
  readonly #listeners = new Set<Listener>();
  status: AppStatus = exampleStatus();
  rows: (fromOffset: number, toOffset: number) => readonly LiveRow[] = exampleRows;
  record: (offset: number) => RecordView | null = exampleRecord;
  sql: CommandResults["sql.run"] = {
    snapshotId: 1,
    page: { columns: [], rows: [] },
    total: 0,
    truncated: false,
    elapsedMs: 3,
  };
  /** Whole texts of cut cells. */
  cell: (row: number, column: number) => string = (row, column) => `whole ${row}:${column}`;
  snapshots: CommandResults["lake.snapshots"] = { snapshots: [] };
  tables: CommandResults["lake.tables"] = { snapshotId: 1, tables: [] };
  exported: CommandResults["export.save"] = null;
  exportedSet: CommandResults["export.set"] = null;
  settings: CommandResults["settings.read"] = exampleSettings();
  killCard: KillCard = exampleKillCard();
  kills: KillState = { running: null, cards: [] };
  /** Log files by name. */
  logs: Readonly<Record<string, string>> = {};
  /** Files of the window that could not be read. */
  setAside: readonly string[] = [];
  /** What a window saved. */
  memory: string | null = null;
  /** Every command fails with this while it is set. */
  error: WireError | null = null;

  readonly on: Bridge["on"] = <E extends EventName>(event: E, listener: (payload: AppEvents[E]) => void) => {
    const entry: Listener = { event, hear: listener as (payload: never) => void };
    this.#listeners.add(entry);
    return () => void this.#listeners.delete(entry);
  };

  /** An event of main. */
  announce<E extends EventName>(event: E, payload: AppEvents[E]): void {
    for (const listener of this.#listeners) if (listener.event === event) listener.hear(payload as never);
  }

  readonly pathOf = (file: object): string => `/recordings/${"name" in file ? String(file.name) : ""}`;

  readonly invoke: Bridge["invoke"] = async <C extends CommandName>(
    command: C,
    args: CommandArguments<C>,
  ): Promise<BridgeAnswer<CommandResults[C]>> => {
    this.calls.push({ command, args });
    if (this.error !== null && command !== "app.status" && !command.startsWith("memory."))
      return { ok: false, error: this.error };
    const answers: { [K in CommandName]: (given: CommandArguments<K>) => CommandResults[K] } = {
      "app.status": () => this.status,
      "source.pause": () => null,
      "source.resume": () => null,
      "source.retry": () => null,
      "source.use-demo": () => null,
      "source.use-live": () => null,
      "source.stop": () => null,
      "source.start": () => null,
      "source.open-file": (given) => ({ path: given.path ?? "/recordings/chosen.ndjson" }),
      "folder.show": () => null,
      "settings.read": () => this.settings,
      "settings.save": ({ text }) => {
        this.settings = savedSettings(this.settings, text);
        return this.settings;
      },
      "live.rows": ({ fromOffset, toOffset, limit }) => ({
        snapshotId: 1,
        checkpoint: this.#checkpoint,
        rows: this.rows(fromOffset, Math.min(toOffset, this.#checkpoint)).slice(-limit),
      }),
      "live.record": ({ logOffset }) => ({ snapshotId: 1, record: this.record(logOffset) }),
      "sql.run": () => this.sql,
      "sql.cells": ({ cells }) => ({ texts: cells.map(({ row, column }) => this.cell(row, column)) }),
      "lake.snapshots": () => this.snapshots,
      "lake.tables": () => this.tables,
      "export.save": () => this.exported,
      "export.set": () => this.exportedSet,
      "export.show": () => null,
      "run.cancel": () => null,
      "worker.kill": () => {
        this.sayKill({ running: null, cards: [this.killCard, ...this.kills.cards] });
        return this.killCard;
      },
      "worker.kills": () => this.kills,
      "logs.read": ({ name }) => ({
        dataFolder: "/hw",
        text: this.logs[name] ?? "",
        toByte: 1,
        continues: false,
      }),
      "link.open": () => ({ opened: true, reason: "" }),
      "theme.set": () => null,
      "memory.read": () => ({ text: this.memory, theme: "system", setAside: this.setAside }),
      "memory.save": ({ text }) => {
        this.memory = text;
        return null;
      },
    };
    return { ok: true, value: answers[command](args) };
  };

  /** A new commit: the checkpoint moves and the windows hear of it. */
  commit(checkpoint: number, more: Partial<AppStatus> = {}): void {
    const counted = exampleRowCount(checkpoint);
    const ledger = { ...examplePipeline().ledger, bronze: counted, silver: counted };
    this.say({ pipeline: examplePipeline({ checkpoint, head: checkpoint, ledger }), ...more });
  }

  /** A new status. */
  say(more: Partial<AppStatus>): void {
    this.status = { ...this.status, ...more };
    this.announce("status", this.status);
  }

  /** A kill went on, or its card is there. */
  sayKill(state: KillState): void {
    this.kills = state;
    this.announce("kill", state);
  }

  get listenerCount(): number {
    return this.#listeners.size;
  }

  called(command: CommandName): readonly Call[] {
    return this.calls.filter((call) => call.command === command);
  }

  get #checkpoint(): number {
    return this.status.pipeline?.checkpoint ?? 0;
  }
}

/** A kill that was proven harmless. */
export function exampleKillCard(more: Partial<KillCard> = {}): KillCard {
  return {
    nth: 1,
    startedMs: Date.UTC(2026, 10, 30, 12) - 210,
    worker: "pipeline",
    verdict: "pass",
    reason: "stopped inside a batch, killed there, and everything is in the lake once",
    failpoint: "commit-in",
    inFlight: { fromOffset: 101, toOffset: 120 },
    pid: 4_711,
    killedAtMs: Date.UTC(2026, 10, 30, 12),
    backMs: 260,
    recoveryMs: 420,
    snapshotBefore: 100,
    snapshotAfter: 104,
    rowsBefore: 90,
    rowsAfter: 130,
    lost: 0,
    doubled: 0,
    ...more,
  };
}

/** A stored edit with a hostile comment. */
export function exampleRecord(logOffset: number): RecordView {
  const raw = JSON.stringify({
    meta: { uri: `https://en.wikipedia.org/wiki/Page_${logOffset}`, id: `id-${logOffset}` },
    title: `Page ${logOffset}`,
    comment: "<img src=x onerror=alert(1)>",
    revision: { old: 1, new: 99 },
    server_url: "https://en.wikipedia.org",
    server_script_path: "/w",
  });
  const columns = [
    { name: "source", value: "recentchange" },
    { name: "log_offset", value: logOffset },
    { name: "event_time", value: "2026-11-30 12:00:00+00" },
    { name: "watermark", value: null },
    { name: "late", value: false },
    { name: "lateness_ms", value: 1_200 },
  ];
  const commit = {
    snapshotId: 27_300,
    commitTimeMs: Date.UTC(2026, 10, 30, 12),
    fromOffset: logOffset - 4,
    toOffset: logOffset + 5,
  };
  return { logOffset, table: "silver.changes", columns, raw, bytes: null, commit };
}
