import { useMemo, useState, type ReactElement } from "react";
import type { RecordView } from "#pipeline/protocol/query-messages.ts";
import { call } from "#renderer/bridge/call.ts";
import { ErrorCard } from "#renderer/components/error-card.tsx";
import { FeedText } from "#renderer/components/feed-text.tsx";
import { formatBytes } from "#renderer/components/format.ts";
import { Icon } from "#renderer/components/icon.tsx";
import { JsonTree } from "#renderer/components/json-tree/json-tree.tsx";
import { parseJsonText, stringAt, type JsonNode } from "#renderer/components/json-tree/parse-json-text.ts";
import { useAppStores, useLiveEdits } from "#renderer/stores/app-stores.ts";
import { CommandButton } from "#renderer/workbench/command-button.tsx";
import type { Inspected } from "#renderer/stores/inspection.ts";
import { columnFacts, journeyFacts, recordLinks, type Fact } from "./record-facts.ts";

/** Raw text painted at most: a record may have 10 MB, the page should not. */
const RAW_LIMIT = 50_000;
/** Larger records are shown as text only: a tree of them would cost seconds. */
const TREE_LIMIT = 2_000_000;
const FACT_LIMIT = 2_000;

const VIEWS = ["summary", "tree", "raw"] as const;
type View = (typeof VIEWS)[number];
const VIEW_NAMES = { summary: "Summary", tree: "JSON", raw: "Raw text" } as const;

function Facts({ title, facts }: { readonly title: string; readonly facts: readonly Fact[] }): ReactElement {
  return (
    <section>
      <h3>{title}</h3>
      <dl className="facts">
        {facts.map(({ name, value }) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>
              <FeedText text={value} limit={FACT_LIMIT} />
            </dd>
          </div>
        ))}
      </dl>
    </section>
  );
}

function Links({ json }: { readonly json: JsonNode | null }): ReactElement | null {
  const { bridge, notifications } = useAppStores();
  const { page, diff } = recordLinks(json);
  const open = (url: string): void => {
    void call(bridge, "link.open", { url }).then((answer) => {
      const reason = answer.ok ? answer.value.reason : answer.error.message;
      if (!answer.ok || !answer.value.opened) {
        notifications.tell({ text: `The link was not opened: ${reason}`, tone: "bad" });
      }
    });
  };
  const links = [
    { name: "Difference", url: diff },
    { name: "Page", url: page },
  ].filter((link): link is { name: string; url: string } => link.url !== null);
  if (links.length === 0) return null;
  return (
    <div className="buttons">
      {links.map(({ name, url }) => (
        <button key={name} type="button" title={url} onClick={() => open(url)}>
          <Icon name="link-external" /> {name}
        </button>
      ))}
    </div>
  );
}

function RawText({ raw }: { readonly raw: string }): ReactElement {
  return (
    <section className="raw">
      <div className="buttons">
        <button type="button" onClick={() => void navigator.clipboard.writeText(raw)}>
          <Icon name="copy" /> Copy all
        </button>
        <span className="held">{formatBytes(new TextEncoder().encode(raw).length)}</span>
      </div>
      <pre>
        <FeedText text={raw} limit={RAW_LIMIT} />
      </pre>
    </section>
  );
}

type BodyProps = { readonly record: RecordView; readonly snapshotId: number | null; readonly view: View };

function Body({ record, snapshotId, view }: BodyProps): ReactElement {
  const { raw } = record;
  const json = useMemo(() => (raw === null || raw.length > TREE_LIMIT ? null : parseJsonText(raw)), [raw]);
  if (view === "summary") {
    return (
      <>
        <p className="headline">
          <FeedText text={stringAt(json, "title") ?? `Record ${record.logOffset}`} limit={FACT_LIMIT} />
        </p>
        <Links json={json} />
        <Facts title="Journey" facts={journeyFacts(record, snapshotId)} />
        <Facts title="Columns" facts={columnFacts(record)} />
      </>
    );
  }
  if (raw === null) return <p className="empty">No table keeps the text of this record.</p>;
  if (view === "raw") return <RawText raw={raw} />;
  return json === null ? (
    <p className="empty">This record is no JSON, or too large for a tree. The raw text shows it.</p>
  ) : (
    <JsonTree node={json} />
  );
}

type InspectorProps = {
  readonly inspected: Inspected;
  /** Reads the record again after an error. */
  readonly onRetry: () => void;
  /** Command that closes this inspector. */
  readonly closeCommand: string;
};

type ContentProps = Pick<InspectorProps, "inspected" | "onRetry"> & { readonly view: View };

function Content({ inspected, onRetry, view }: ContentProps): ReactElement | null {
  const { record, snapshotId, error, isLoading } = inspected;
  if (error !== null) {
    const again = { label: "Try again", run: onRetry };
    return (
      <ErrorCard
        title="The record could not be read"
        detail={`${error.message} (${error.code})`}
        action={again}
      />
    );
  }
  if (record === null) {
    return isLoading ? null : <p className="empty">No snapshot that is kept has this record.</p>;
  }
  return (
    <div className={isLoading ? "content dimmed" : "content"} aria-busy={isLoading}>
      <Body record={record} snapshotId={snapshotId} view={view} />
    </div>
  );
}

/** Everything that is known of the selected record; for every room that lists records. */
export function RecordInspector({ inspected, onRetry, closeCommand }: InspectorProps): ReactElement {
  const [view, setView] = useState<View>("summary");
  return (
    <aside className="inspector" aria-label="Inspector">
      <div className="inspector-head">
        <div role="tablist">
          {VIEWS.map((name) => (
            <button
              key={name}
              type="button"
              role="tab"
              aria-selected={name === view}
              onClick={() => setView(name)}
            >
              {VIEW_NAMES[name]}
            </button>
          ))}
        </div>
        <CommandButton command={closeCommand} className="icon-button">
          <Icon name="close" />
        </CommandButton>
      </div>
      <Content inspected={inspected} onRetry={onRetry} view={view} />
    </aside>
  );
}

/** The inspector of Live edits. */
export function Inspector(): ReactElement {
  const { liveEdits } = useAppStores();
  const inspected = useLiveEdits((state) => state.inspected);
  return (
    <RecordInspector
      inspected={inspected}
      onRetry={() => liveEdits.openInspector()}
      closeCommand="live-edits.close"
    />
  );
}
