import type { ReactElement } from "react";
import { ErrorBoundary } from "#renderer/components/error-boundary.tsx";
import { Icon } from "#renderer/components/icon.tsx";
import { PANELS } from "#renderer/panels/registry.ts";
import { useAppStores, useWorkbench } from "#renderer/stores/app-stores.ts";
import { openPanel } from "#renderer/stores/workbench-store.ts";

/** Tabs of the panels and the one that is open. */
export function TabArea(): ReactElement {
  const { workbench } = useAppStores();
  const active = useWorkbench((state) => state.activePanel);
  const panel = PANELS.find((candidate) => candidate.id === active);
  return (
    <main className="tab-area">
      <div className="tabs" role="tablist">
        {PANELS.map(({ id, title, icon }) => (
          <button
            key={id}
            type="button"
            role="tab"
            aria-selected={id === active}
            onClick={() => openPanel(workbench, id)}
          >
            <Icon name={icon} />
            {title}
          </button>
        ))}
      </div>
      {panel === undefined ? null : (
        <ErrorBoundary key={panel.id} name={panel.title}>
          <panel.component />
        </ErrorBoundary>
      )}
    </main>
  );
}
