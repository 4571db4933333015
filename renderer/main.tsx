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
import { followTheme } from "./themes/follow-theme.ts";
import { Workbench } from "./workbench/workbench.tsx";

const root = document.getElementById("root");
if (root === null) throw new Error("index.html has no #root");

followTheme(window);
if (navigator.userAgent.includes("Linux")) document.documentElement.dataset["platform"] = "linux";
const crashReason = new URLSearchParams(window.location.search).get("crashed");
createRoot(root).render(
  crashReason === null ? (
    <ErrorBoundary name="The workbench">
      <Workbench stores={createAppStores(getBridge())} />
    </ErrorBoundary>
  ) : (
    <CrashedWindow reason={crashReason} />
  ),
);
