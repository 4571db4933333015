import "@vscode/codicons/dist/codicon.css";
import "./themes/base.css";
import "./workbench/workbench.css";
import "dockview-react/dist/styles/dockview.css";
import "./workbench/editors/editors.css";
import "./workbench/bottom/bottom.css";
import "./workbench/welcome/welcome.css";
import "./workbench/sources/sources.css";
import "./components/row-grid/row-grid.css";
import "./panels/live-edits/live-edits.css";
import "uplot/dist/uPlot.min.css";
import "./panels/pipeline/pipeline.css";
import "./panels/pipeline/pipeline-charts.css";
import "./panels/pipeline/kill-card.css";
import "./panels/record-room/record-room.css";
import "./panels/tables/tables.css";
import "./panels/settings/settings.css";
import { createRoot } from "react-dom/client";
import { getBridge } from "./bridge/bridge.ts";
import { ErrorBoundary } from "./components/error-boundary.tsx";
import { CrashedWindow } from "./crashed-window.tsx";
import { createAppStores } from "./stores/app-stores.ts";
import { WindowMemory } from "./stores/window-memory.ts";
import { chooseTheme, followTheme } from "./themes/follow-theme.ts";
import { Workbench } from "./workbench/workbench.tsx";

const root = document.getElementById("root");
if (root === null) throw new Error("index.html has no #root");

// Until main has told the choice, the system's; so nothing is painted in no theme at all.
followTheme(window, "system");
if (navigator.userAgent.includes("Linux")) document.documentElement.dataset["platform"] = "linux";
const crashReason = new URLSearchParams(window.location.search).get("crashed");
const reactRoot = createRoot(root);
if (crashReason === null) void openWorkbench();
else reactRoot.render(<CrashedWindow reason={crashReason} />);

async function openWorkbench(): Promise<void> {
  const bridge = getBridge();
  const memory = new WindowMemory(bridge, (text) => stores.notifications.tell({ tone: "bad", text }));
  const { theme, setAside } = await memory.load();
  chooseTheme(window, theme);
  const stores = createAppStores(bridge, memory);
  for (const path of setAside) {
    const text = "A file of the window could not be read. It was set aside, and what it kept begins afresh.";
    stores.notifications.tell({ tone: "warn", text, detail: path });
  }
  reactRoot.render(
    <ErrorBoundary name="The workbench">
      <Workbench stores={stores} />
    </ErrorBoundary>,
  );
}
