import { useEffect, type ReactElement } from "react";
import { AppStoresContext, useWorkbench, type AppStores } from "#renderer/stores/app-stores.ts";
import { connectStores } from "#renderer/stores/connect-stores.ts";
import { ActivityBar } from "./activity-bar.tsx";
import { BannerBar } from "./banner-bar.tsx";
import { listenToKeyboard } from "./keyboard.ts";
import { LedgerSection } from "./ledger-section.tsx";
import { OpenNotifications } from "./notifications.tsx";
import { Palette } from "./palette.tsx";
import { SettingsSection } from "./settings-section.tsx";
import { SourcesSection } from "./sources-section.tsx";
import { StatusBar } from "./status-bar.tsx";
import { TabArea } from "./tab-area.tsx";
import { TitleBar } from "./title-bar.tsx";

function SideBar(): ReactElement | null {
  if (!useWorkbench((state) => state.isSideBarShown)) return null;
  return (
    <aside className="side-bar" aria-label="Side bar">
      <SourcesSection />
      <LedgerSection />
      <SettingsSection />
    </aside>
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
          <TabArea />
        </div>
        <StatusBar />
        <OpenNotifications />
        <Palette />
      </div>
    </AppStoresContext>
  );
}
