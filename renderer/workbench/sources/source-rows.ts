import type { AppStatus } from "#main/contract/app-status.ts";
import { formatRate } from "#renderer/components/format.ts";
import { describeSource, type Tone } from "../status-items.ts";

/** One source of the list. */
export type SourceRow = {
  readonly key: string;
  readonly name: string;
  readonly isActive: boolean;
  readonly tone: Tone;
  readonly value: string;
  readonly hint: string;
  /** How to switch to it; null for the one that runs already. */
  readonly opens:
    | { readonly command: "source.use-live" | "source.use-demo" }
    | { readonly path: string }
    | null;
};

function fileName(path: string): string {
  return path.split(/[/\\]/u).at(-1) ?? path;
}

function nameOf({ mode, source }: AppStatus): string {
  return mode === "demo" ? "demo feed" : source;
}

function activeRow(status: AppStatus): SourceRow {
  const { ingest, mode, source } = status;
  const { word, tone } = describeSource(status);
  const rate = tone === "ok" && ingest !== null ? formatRate(ingest.recordsPerSecond) : null;
  const path = mode === "file" ? (ingest?.url ?? source) : null;
  return {
    key: path ?? mode,
    name: path === null ? nameOf(status) : fileName(path),
    isActive: true,
    tone,
    value: rate ?? word.split(":")[0] ?? word,
    hint: `${word}\n${ingest?.url ?? ""}\ndata in ${status.dataFolder}`,
    opens: null,
  };
}

/** The source that runs, the others to switch to, and recordings opened before. */
export function sourceRows(status: AppStatus, recent: readonly string[]): readonly SourceRow[] {
  const active = activeRow(status);
  const idle = { isActive: false, tone: "none", value: "stopped" } as const;
  const { liveFeed } = status;
  const others: SourceRow[] = [
    {
      ...idle,
      key: "live",
      name: liveFeed.source,
      hint: `Switch to ${liveFeed.url}`,
      opens: { command: "source.use-live" },
    },
    {
      ...idle,
      key: "demo",
      name: "demo feed",
      hint: "Switch to the built-in demo feed; its data stays in a folder of its own",
      opens: { command: "source.use-demo" },
    },
    ...recent.map((path): SourceRow => ({
      ...idle,
      key: path,
      name: fileName(path),
      value: "recording",
      hint: `Read ${path}; what was read of it before is kept`,
      opens: { path },
    })),
  ];
  return [active, ...others.filter((row) => row.key !== active.key && row.key !== status.mode)];
}
