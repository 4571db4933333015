import "@vscode/codicons/dist/codicon.css";
import "./themes/base.css";
import "./workbench/workbench.css";
import "./panels/live-edits/live-edits.css";
import "./panels/pipeline/pipeline.css";
import "./panels/record-room/record-room.css";
import { createRoot } from "react-dom/client";
import { getBridge } from "./bridge/bridge.ts";
import { ErrorBoundary } from "./components/error-boundary.tsx";
import { CrashedWindow } from "./crashed-window.tsx";
import { createAppStores } from "./stores/app-stores.ts";
import { WindowMemory } from "./stores/window-memory.ts";
import { followTheme } from "./themes/follow-theme.ts";
import { Workbench } from "./workbench/workbench.tsx";

const root = document.getElementById("root");
if (root === null) throw new Error("index.html has no #root");

followTheme(window);
if (navigator.userAgent.includes("Linux")) document.documentElement.dataset["platform"] = "linux";
const crashReason = new URLSearchParams(window.location.search).get("crashed");
const reactRoot = createRoot(root);
if (crashReason === null) void openWorkbench();
else reactRoot.render(<CrashedWindow reason={crashReason} />);

async function openWorkbench(): Promise<void> {
  const bridge = getBridge();
  const memory = new WindowMemory(bridge, (text) => stores.notifications.tell({ tone: "bad", text }));
  await memory.load();
  const stores = createAppStores(bridge, memory);
  reactRoot.render(
    <ErrorBoundary name="The workbench">
      <Workbench stores={stores} />
    </ErrorBoundary>,
  );
}
