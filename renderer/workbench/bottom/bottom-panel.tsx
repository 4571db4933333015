import type { KeyboardEvent, ReactElement } from "react";
import { ErrorBoundary } from "#renderer/components/error-boundary.tsx";
import { Icon } from "#renderer/components/icon.tsx";
import { Sash } from "#renderer/components/sash.tsx";
import { useAppStores, useStatus, useWorkbench } from "#renderer/stores/app-stores.ts";
import { BOTTOM_HEIGHT, BOTTOM_VIEWS, type BottomView } from "#renderer/stores/workbench-store.ts";
import { CommandButton } from "../command-button.tsx";
import { HistoryView } from "./history-view.tsx";
import { OutputView } from "./output-view.tsx";
import { countProblems, listProblems } from "./problems.ts";
import { ProblemsView } from "./problems-view.tsx";

const TITLES = { problems: "Problems", output: "Output", history: "History" } as const;
const VIEWS = { problems: ProblemsView, output: OutputView, history: HistoryView } as const;

function Tabs({ open }: { readonly open: BottomView }): ReactElement {
  const { workbench } = useAppStores();
  const problems = useStatus(({ status }) => countProblems(listProblems(status)));
  const onKeyDown = (event: KeyboardEvent): void => {
    const by = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
    if (by === undefined) return;
    const next = BOTTOM_VIEWS.at((BOTTOM_VIEWS.indexOf(open) + by) % BOTTOM_VIEWS.length) ?? open;
    workbench.setState({ bottomView: next });
    document.getElementById(`bottom-tab-${next}`)?.focus();
    event.preventDefault();
  };
  return (
    <div className="bottom-tabs" role="tablist" aria-label="Bottom panel" onKeyDown={onKeyDown}>
      {BOTTOM_VIEWS.map((view) => (
        <button
          key={view}
          id={`bottom-tab-${view}`}
          type="button"
          role="tab"
          aria-selected={view === open}
          aria-controls="bottom-view"
          tabIndex={view === open ? 0 : -1}
          onClick={() => workbench.setState({ bottomView: view })}
        >
          {TITLES[view]}
          {view === "problems" && problems > 0 ? <span className="count-badge">{problems}</span> : null}
        </button>
      ))}
    </div>
  );
}

/** Problems, Output and History, below the rooms; its height is remembered. */
export function BottomPanel(): ReactElement | null {
  const { workbench } = useAppStores();
  const view = useWorkbench((state) => state.bottomView);
  const height = useWorkbench((state) => state.bottomHeight);
  if (view === null) return null;
  const View = VIEWS[view];
  return (
    <section className="bottom-panel" aria-label="Bottom panel" style={{ height }}>
      <Sash
        label="Resize the lower part"
        orientation="horizontal"
        size={height}
        {...BOTTOM_HEIGHT}
        sign={-1}
        onResize={(bottomHeight) => workbench.setState({ bottomHeight })}
        onReset={() => workbench.setState({ bottomHeight: BOTTOM_HEIGHT.first })}
      />
      <header>
        <Tabs open={view} />
        <CommandButton command="workbench.toggle-bottom" className="icon-button">
          <Icon name="close" />
        </CommandButton>
      </header>
      <div id="bottom-view" role="tabpanel" aria-label={TITLES[view]}>
        <ErrorBoundary key={view} name={TITLES[view]}>
          <View />
        </ErrorBoundary>
      </div>
    </section>
  );
}
