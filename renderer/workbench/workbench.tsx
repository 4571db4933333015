import { useEffect, type ReactElement } from "react";
import { Sash } from "#renderer/components/sash.tsx";
import { AppStoresContext, useAppStores, useWorkbench, type AppStores } from "#renderer/stores/app-stores.ts";
import { connectStores } from "#renderer/stores/connect-stores.ts";
import { SIDE_BAR_WIDTH } from "#renderer/stores/workbench-store.ts";
import { ActivityBar } from "./activity-bar.tsx";
import { BottomPanel } from "./bottom/bottom-panel.tsx";
import { EditorArea } from "./editors/editor-area.tsx";
import { BannerBar } from "./banner-bar.tsx";
import { listenToKeyboard } from "./keyboard.ts";
import { LedgerSection } from "./ledger-section.tsx";
import { OpenNotifications } from "./notifications.tsx";
import { Palette } from "./palette/palette.tsx";
import { SettingsSection } from "./settings-section.tsx";
import { DropTarget } from "./sources/drop-target.tsx";
import { FolderSection } from "./sources/folder-section.tsx";
import { SourcesSection } from "./sources/sources-section.tsx";
import { StatusBar } from "./status-bar.tsx";

import { TitleBar } from "./title-bar.tsx";
import { WelcomeStrip } from "./welcome/welcome-strip.tsx";

function SideBar(): ReactElement | null {
  const { workbench } = useAppStores();
  const width = useWorkbench((state) => state.sideBarWidth);
  if (!useWorkbench((state) => state.isSideBarShown)) return null;
  return (
    <>
      <aside className="side-bar" aria-label="Side bar" style={{ width }} tabIndex={0}>
        <SourcesSection />
        <LedgerSection />
        <FolderSection />
        <SettingsSection />
      </aside>
      <Sash
        label="Resize the left part"
        orientation="vertical"
        size={width}
        {...SIDE_BAR_WIDTH}
        sign={1}
        onResize={(sideBarWidth) => workbench.setState({ sideBarWidth })}
        onReset={() => workbench.setState({ sideBarWidth: SIDE_BAR_WIDTH.first })}
      />
    </>
  );
}

/** The window: everything hangs in here. */
export function Workbench({ stores }: { readonly stores: AppStores }): ReactElement {
  useEffect(() => {
    const leave = connectStores(stores);
    const stopListening = listenToKeyboard(stores, window);
    return () => {
      stopListening();
      leave();
    };
  }, [stores]);
  return (
    <AppStoresContext value={stores}>
      <div className="workbench">
        <TitleBar />
        <BannerBar />
        <div className="middle">
          <ActivityBar />
          <SideBar />
          <div className="centre">
            <WelcomeStrip />
            <EditorArea />
            <BottomPanel />
          </div>
        </div>
        <StatusBar />
        <OpenNotifications />
        <DropTarget />
        <Palette />
      </div>
    </AppStoresContext>
  );
}
