import type { ReactElement } from "react";
import { Icon } from "#renderer/components/icon.tsx";
import { ROOMS } from "#renderer/panels/rooms.ts";
import { useAppStores, useWorkbench } from "#renderer/stores/app-stores.ts";
import { CommandButton } from "./command-button.tsx";
import { openPanel } from "#renderer/stores/workbench-store.ts";

/** One icon per panel; below, what concerns the whole window. */
export function ActivityBar(): ReactElement {
  const { workbench } = useAppStores();
  const active = useWorkbench((state) => state.activePanel);
  return (
    <nav className="activity-bar" aria-label="Views">
      {ROOMS.map((panel) => (
        <button
          key={panel.id}
          data-room={panel.id}
          type="button"
          title={panel.title}
          aria-label={panel.title}
          aria-current={panel.id === active ? "page" : undefined}
          onClick={() => openPanel(workbench, panel.id)}
        >
          <Icon name={panel.icon} />
        </button>
      ))}
      <span className="spacer" />
      <CommandButton command="theme.next">
        <Icon name="color-mode" />
      </CommandButton>
    </nav>
  );
}
