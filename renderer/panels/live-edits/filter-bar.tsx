import type { ReactElement } from "react";
import type { LiveRow } from "#pipeline/protocol/query-messages.ts";
import { FeedText } from "#renderer/components/feed-text.tsx";
import { FilterInput } from "#renderer/components/filter-input.tsx";
import { Icon } from "#renderer/components/icon.tsx";
import { MultiPick, type PickOption } from "#renderer/components/multi-pick.tsx";
import { useAppStores, useLiveEdits } from "#renderer/stores/app-stores.ts";
import { CommandButton } from "#renderer/workbench/command-button.tsx";
import { countValues } from "./filter-rows.ts";
import { FILTER_IDS } from "./live-edits-commands.ts";
import { activeFilters } from "./live-filter.ts";
import { namespaceName } from "./namespace-name.ts";

/** Types of recentchange (its JSON schema); others are offered when they were seen. */
const KNOWN_TYPES = ["edit", "new", "log", "categorize", "external"];

function optionsOf(
  rows: readonly LiveRow[],
  valueOf: (row: LiveRow) => string | null,
  known: readonly string[] = [],
): readonly PickOption[] {
  const counts = countValues(rows, valueOf);
  const seen = [...counts].map(([value, count]) => ({ value, count }));
  return [...seen, ...known.filter((value) => !counts.has(value)).map((value) => ({ value, count: 0 }))];
}

function Picks(): ReactElement {
  const { liveEdits } = useAppStores();
  const { wikis, types, namespaces } = useLiveEdits((state) => state.filter);
  const rows = (): readonly LiveRow[] => liveEdits.store.getState().window.rows;
  return (
    <>
      <MultiPick
        id={FILTER_IDS.wikis}
        name="Wiki"
        title="Live edits: pick wikis (W)"
        chosen={wikis}
        options={() => optionsOf(rows(), (row) => row.wiki)}
        onToggle={(value) => liveEdits.togglePicked("wikis", value)}
        acceptsTyped={(text) => /^\w{2,64}$/u.test(text)}
      />
      <MultiPick
        id={FILTER_IDS.types}
        name="Type"
        title="Live edits: pick types (T)"
        chosen={types}
        options={() => optionsOf(rows(), (row) => row.type, KNOWN_TYPES)}
        onToggle={(value) => liveEdits.togglePicked("types", value)}
        acceptsTyped={() => false}
      />
      <MultiPick
        id={FILTER_IDS.namespaces}
        name="Namespace"
        title="Live edits: pick namespaces (N)"
        chosen={namespaces.map(String)}
        options={() =>
          optionsOf(rows(), (row) => (row.namespace === null ? null : String(row.namespace)), ["0"]).map(
            (option) => ({ ...option, label: namespaceName(Number(option.value)) }),
          )
        }
        onToggle={(value) => liveEdits.togglePicked("namespaces", value)}
        acceptsTyped={(text) => /^-?\d{1,6}$/u.test(text)}
      />
    </>
  );
}

/** One click turns to the next of the three, as its key does. */
function Bots(): ReactElement {
  const { liveEdits } = useAppStores();
  const bots = useLiveEdits((state) => state.filter.bots);
  return (
    <button
      type="button"
      title="Live edits: all edits, only those of bots, or without them (B)"
      className={bots === "all" ? "bots" : "bots chosen"}
      onClick={() => liveEdits.turnBots()}
    >
      Bots: {bots}
    </button>
  );
}

/** Text, wikis, types, namespaces and bots. */
export function FilterBar(): ReactElement {
  const { liveEdits } = useAppStores();
  return (
    <>
      <FilterInput
        id={FILTER_IDS.text}
        placeholder="Filter by title, user, comment — press /"
        value={useLiveEdits((state) => state.filter.text)}
        onChange={(text) => liveEdits.setText(text)}
      />
      <Picks />
      <Bots />
    </>
  );
}

/** Everything that the filter asks for, each with its end, and one button for all of it. */
export function ActiveFilters(): ReactElement | null {
  const { liveEdits } = useAppStores();
  const filter = useLiveEdits((state) => state.filter);
  const active = activeFilters(filter);
  if (active.length === 0) return null;
  return (
    <div className="active-filters">
      <ul aria-label="Active filters">
        {active.map(({ name, value, without }) => (
          <li key={`${name} ${value}`} className="chip">
            <span className="name">{name}</span> <FeedText text={value} limit={60} />
            <button
              type="button"
              className="icon-button"
              aria-label={`Remove the filter ${name} ${value}`}
              title={`Remove the filter ${name} ${value}`}
              onClick={() => liveEdits.setFilter(without)}
            >
              <Icon name="close" />
            </button>
          </li>
        ))}
      </ul>
      <CommandButton command="live-edits.clear-filters" className="link" isNamedByText>
        Clear all
      </CommandButton>
    </div>
  );
}
