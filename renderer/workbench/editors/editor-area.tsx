import {
  DockviewReact,
  type DockviewTheme,
  type IDockviewPanelHeaderProps,
  type IDockviewPanelProps,
} from "dockview-react";
import {
  useCallback,
  useEffect,
  useRef,
  useSyncExternalStore,
  type FunctionComponent,
  type ReactElement,
} from "react";
import { ErrorBoundary } from "#renderer/components/error-boundary.tsx";
import { Icon } from "#renderer/components/icon.tsx";
import { ROOM_COMPONENTS } from "#renderer/panels/registry.ts";
import { ROOMS, type Room } from "#renderer/panels/rooms.ts";
import { useAppStores } from "#renderer/stores/app-stores.ts";
import { CommandButton } from "../command-button.tsx";

/** Colours and sizes come from editors.css; no animation, because nothing that was asked for should be waited for. */
const THEME: DockviewTheme = {
  name: "highwater",
  className: "highwater-dock",
  dndPanelOverlay: "group",
  dndTabIndicator: "line",
  tabGroupIndicator: "none",
};

/** dockview keeps the components of hidden tabs; a room that nobody sees shall neither paint nor ask. */
function useIsVisible(api: IDockviewPanelProps["api"]): boolean {
  const subscribe = useCallback(
    (tell: () => void) => {
      const watching = api.onDidVisibilityChange(tell);
      return () => watching.dispose();
    },
    [api],
  );
  return useSyncExternalStore(subscribe, () => api.isVisible);
}

/** Made once: a new component would be a new room to React, and lose what stands in it. */
const COMPONENTS: Record<string, FunctionComponent<IDockviewPanelProps>> = Object.fromEntries(
  ROOMS.map(({ id, title }) => {
    const Component = ROOM_COMPONENTS[id];
    const OpenRoom = ({ api }: IDockviewPanelProps): ReactElement | null =>
      useIsVisible(api) ? (
        <ErrorBoundary name={title}>
          <Component />
        </ErrorBoundary>
      ) : null;
    return [id, OpenRoom];
  }),
);

const ICONS: ReadonlyMap<string, string> = new Map(ROOMS.map(({ id, icon }: Room) => [id, icon]));

/**
 * A tab: icon, name, close. The cross is for the pointer only (a control inside of a tab cannot be reached by a screen reader);
 * the keyboard has Ctrl+W, the middle button closes too.
 */
function Tab({ api }: IDockviewPanelHeaderProps): ReactElement {
  const { layout } = useAppStores();
  return (
    <div
      className="tab"
      onAuxClick={(event) => {
        if (event.button === 1) layout.close(api.id);
      }}
    >
      <Icon name={ICONS.get(api.id) ?? "file"} />
      <span>{api.title}</span>
      <span
        className="tab-close"
        aria-hidden="true"
        title="Close (Ctrl+W)"
        onPointerDown={(event) => event.stopPropagation()}
        onClick={(event) => {
          event.stopPropagation();
          layout.close(api.id);
        }}
      >
        <Icon name="close" />
      </span>
    </div>
  );
}

/** What stands where every tab was closed. */
function NoTabs(): ReactElement {
  return (
    <div className="no-tabs">
      <p>No room is open.</p>
      <div className="buttons">
        <CommandButton command="go.live-edits" isNamedByText>
          Open Live edits
        </CommandButton>
        <CommandButton command="workbench.quick-open" isNamedByText>
          Open a room, a table or a page
        </CommandButton>
      </div>
    </div>
  );
}

/**
 * dockview announces opened and closed tabs in two regions that are always in the page. `aria-live` is what makes them speak;
 * their roles would make an empty one the window's first alert.
 */
function keepOneAlert(): void {
  for (const region of document.querySelectorAll(".dv-live-region, .dv-live-region-assertive"))
    region.removeAttribute("role");
}

/** The rooms in their tabs and splits. */
export function EditorArea(): ReactElement {
  const { layout } = useAppStores();
  const detach = useRef<(() => void) | null>(null);
  useEffect(() => () => detach.current?.(), []);
  return (
    <main className="editor-area">
      <DockviewReact
        components={COMPONENTS}
        defaultTabComponent={Tab}
        watermarkComponent={NoTabs}
        theme={THEME}
        disableFloatingGroups
        onReady={({ api }) => {
          detach.current?.();
          detach.current = layout.attach(api);
          keepOneAlert();
        }}
      />
    </main>
  );
}
