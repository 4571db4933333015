import { useMemo, useState, type ReactElement } from "react";
import type { RecordView } from "#pipeline/protocol/query-messages.ts";
import { ErrorCard } from "#renderer/components/error-card.tsx";
import { FeedText } from "#renderer/components/feed-text.tsx";
import { Icon } from "#renderer/components/icon.tsx";
import { JsonTree } from "#renderer/components/json-tree/json-tree.tsx";
import { parseJsonText, stringAt, type JsonNode } from "#renderer/components/json-tree/parse-json-text.ts";
import { useAppStores, useLiveEdits } from "#renderer/stores/app-stores.ts";
import { CommandButton } from "#renderer/workbench/command-button.tsx";
import type { Inspected } from "#renderer/stores/inspection.ts";
import { BytesView } from "../record-room/bytes-view.tsx";
import { findJsonError } from "../record-room/find-json-error.ts";
import { JsonBreak, RawText } from "../record-room/raw-text.tsx";
import { bytesOf } from "../record-room/record-bytes.ts";
import { RecordLinksBar } from "../record-room/record-links-bar.tsx";
import { columnFacts, journeyFacts, traceFacts, type Fact } from "./record-facts.ts";

/** Larger records are shown as text only: a tree of them would cost seconds. */
const TREE_LIMIT = 2_000_000;
const FACT_LIMIT = 2_000;

const VIEWS = ["summary", "tree", "raw", "bytes"] as const;
type View = (typeof VIEWS)[number];
const VIEW_NAMES = { summary: "Summary", tree: "JSON", raw: "Raw text", bytes: "Bytes" } as const;

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

type BodyProps = { readonly record: RecordView; readonly snapshotId: number | null; readonly view: View };

type Parsed = { readonly json: JsonNode | null; readonly error: ReturnType<typeof findJsonError> };

/** A text that is too large for a tree is not read at all, and so has no known break either. */
function parseRaw(raw: string | null): Parsed {
  if (raw === null || raw.length > TREE_LIMIT) return { json: null, error: null };
  return { json: parseJsonText(raw), error: findJsonError(raw) };
}

type SummaryProps = Pick<BodyProps, "record" | "snapshotId"> & Parsed;

function Summary({ record, snapshotId, json, error }: SummaryProps): ReactElement {
  const { raw } = record;
  const trace = traceFacts(record);
  const isRefused = trace.length > 0;
  return (
    <>
      <p className="headline">
        <FeedText text={stringAt(json, "title") ?? `Record ${record.logOffset}`} limit={FACT_LIMIT} />
      </p>
      <RecordLinksBar json={json} />
      {isRefused ? <Facts title="Where it broke" facts={trace} /> : null}
      {isRefused && raw !== null && error !== null ? <JsonBreak raw={raw} error={error} /> : null}
      <Facts title="Journey" facts={journeyFacts(record, snapshotId)} />
      <Facts title="Columns" facts={columnFacts(record)} />
    </>
  );
}

function Body({ record, snapshotId, view }: BodyProps): ReactElement {
  const { raw } = record;
  const parsed = useMemo(() => parseRaw(raw), [raw]);
  const bytes = useMemo(() => bytesOf(record), [record]);
  if (view === "summary") return <Summary record={record} snapshotId={snapshotId} {...parsed} />;
  if (view === "bytes" && bytes !== null) return <BytesView bytes={bytes} />;
  if (raw === null) return <p className="empty">No table keeps the text of this record.</p>;
  if (view === "raw") return <RawText raw={raw} error={parsed.error} />;
  return parsed.json === null ? (
    <p className="empty">This record is no JSON, or too large for a tree. The raw text shows it.</p>
  ) : (
    <JsonTree node={parsed.json} />
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
