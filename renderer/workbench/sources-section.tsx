import type { ReactElement } from "react";
import { formatRate } from "#renderer/components/format.ts";
import { useAppStores, useStatus } from "#renderer/stores/app-stores.ts";
import { runCommand } from "./commands.ts";
import { describeSource, type Tone } from "./status-items.ts";

type SourceRow = {
  readonly key: string;
  readonly name: string;
  readonly isActive: boolean;
  readonly tone: Tone;
  readonly value: string;
  readonly hint: string;
  /** Null for the one that runs already. */
  readonly command: "source.use-live" | "source.use-demo" | null;
};

function useSourceRows(): readonly SourceRow[] {
  const status = useStatus((state) => state.status);
  if (status === null) return [];
  const { ingest, mode, source, liveFeed } = status;
  const { word, tone } = describeSource(status);
  const active: SourceRow = {
    key: mode,
    name: mode === "demo" ? "demo feed" : source,
    isActive: true,
    tone,
    value:
      tone === "ok" && ingest !== null ? formatRate(ingest.recordsPerSecond) : (word.split(":")[0] ?? word),
    hint: `${word}\n${ingest?.url ?? ""}\ndata in ${status.dataFolder}`,
    command: null,
  };
  const others: SourceRow[] = [
    other("live", liveFeed.source, `Switch to ${liveFeed.url}`, "source.use-live"),
    other(
      "demo",
      "demo feed",
      "Switch to the built-in demo feed; its data stays in a folder of its own",
      "source.use-demo",
    ),
  ];
  return [active, ...others.filter((row) => row.key !== mode)];
}

function other(
  key: string,
  name: string,
  hint: string,
  command: NonNullable<SourceRow["command"]>,
): SourceRow {
  return { key, name, isActive: false, tone: "none", value: "stopped", hint, command };
}

/** The sources: the one that runs with its rate, the others to switch to. */
export function SourcesSection(): ReactElement {
  const stores = useAppStores();
  const rows = useSourceRows();
  return (
    <section aria-label="Sources">
      <h2>Sources</h2>
      {rows.map((row) => (
        <button
          key={row.key}
          type="button"
          className="tree-row"
          aria-current={row.isActive ? "true" : undefined}
          title={row.hint}
          onClick={() => {
            if (row.command !== null) runCommand(stores, row.command);
          }}
        >
          <span className={`dot tone-${row.tone}`} />
          <span className="name">{row.name}</span>
          <span className="value">{row.value}</span>
        </button>
      ))}
    </section>
  );
}
