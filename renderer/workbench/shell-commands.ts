import { ROOMS } from "#renderer/panels/rooms.ts";
import type { AppStores } from "#renderer/stores/app-stores.ts";
import { BOTTOM_VIEWS, openPanel, type BottomView } from "#renderer/stores/workbench-store.ts";
import type { OutputName } from "#renderer/stores/worker-output.ts";
import type { WorkbenchCommand } from "./command.ts";

type Run = WorkbenchCommand["run"];

function command(id: string, title: string, keys: readonly string[], run: Run): WorkbenchCommand {
  return { id, title, keys, run };
}

function togglePalette(first: string): Run {
  return ({ workbench }) =>
    workbench.setState(({ palette }) => ({ palette: palette === first ? null : first }));
}

function toggleBottom(view: BottomView): Run {
  return ({ workbench }) =>
    workbench.setState(({ bottomView }) => ({ bottomView: bottomView === view ? null : view }));
}

function showOutput({ output, workbench }: AppStores, name: OutputName): void {
  output.choose(name);
  workbench.setState({ bottomView: "output" });
}

const BOTTOM_TITLES = { problems: "Problems", output: "Output", history: "History" } as const;
const BOTTOM_KEYS = { problems: ["mod+shift+m"], output: ["mod+shift+u"], history: [] } as const;

const paletteCommands: readonly WorkbenchCommand[] = [
  command("workbench.palette", "Show all commands", ["mod+shift+p", "f1"], togglePalette(">")),
  command("workbench.quick-open", "Go to a room, a table or a page", ["mod+p"], togglePalette("")),
];

const viewCommands: readonly WorkbenchCommand[] = [
  command("workbench.toggle-side-bar", "View: show or hide the side bar", ["mod+b"], ({ workbench }) =>
    workbench.setState((state) => ({ isSideBarShown: !state.isSideBarShown })),
  ),
  command("workbench.toggle-bottom", "View: show or hide the bottom panel", ["mod+j"], ({ workbench }) =>
    workbench.setState(({ bottomView }) => ({ bottomView: bottomView === null ? "problems" : null })),
  ),
  ...BOTTOM_VIEWS.map((view) =>
    command(`bottom.${view}`, `View: ${BOTTOM_TITLES[view]}`, BOTTOM_KEYS[view], toggleBottom(view)),
  ),
  ...(["main", "ingest", "pipeline", "query", "feed"] as const).map((name) =>
    command(`output.${name}`, `Output: log of ${name}`, [], (stores) => showOutput(stores, name)),
  ),
  command("notifications.toggle", "Notifications: show or hide the list", [], ({ workbench }) =>
    workbench.setState((state) => ({ areNotificationsShown: !state.areNotificationsShown })),
  ),
  command("welcome.toggle", "Welcome: show or hide the three first steps", [], ({ workbench }) =>
    workbench.setState((state) => ({ isWelcomeShown: !state.isWelcomeShown })),
  ),
];

const tabCommands: readonly WorkbenchCommand[] = [
  ...[1, 2, 3, 4, 5, 6, 7, 8, 9].map((position) =>
    command(
      `tab.show-${position}`,
      position === 9 ? "Tab: show the last one" : `Tab: show number ${position}`,
      [`mod+${position}`],
      ({ layout }) => layout.showTab(position),
    ),
  ),
  command("tab.next", "Tab: next", ["mod+pagedown", "mod+tab"], ({ layout }) => layout.stepTab(1)),
  command("tab.previous", "Tab: previous", ["mod+pageup", "mod+shift+tab"], ({ layout }) =>
    layout.stepTab(-1),
  ),
  command("tab.close", "Tab: close", ["mod+w"], ({ layout }) => layout.closeActive()),
  command("tab.reopen", "Tab: open the one closed last", ["mod+shift+t"], ({ layout }) => layout.reopen()),
  command("tab.split-right", "Tab: split to the right", ["mod+\\"], ({ layout }) => layout.split("right")),
  command("tab.split-down", "Tab: split downwards", ["mod+k mod+\\"], ({ layout }) => layout.split("below")),
  command("tab.to-next-group", "Tab: move into the next group", ["mod+alt+arrowright"], ({ layout }) =>
    layout.moveToNextGroup(),
  ),
  command("tab.next-group", "Tab: give the next group the focus", ["f6"], ({ layout }) => layout.stepGroup()),
  command("tab.reset", "Tab: back to the first layout", [], ({ layout }) => layout.reset()),
];

const roomCommands: readonly WorkbenchCommand[] = ROOMS.map(({ id, title }) =>
  command(`go.${id}`, `Go to ${title}`, [], ({ workbench }) => openPanel(workbench, id)),
);

/** Commands of the shell: command centre, views, tabs, rooms. */
export const shellCommands: readonly WorkbenchCommand[] = [
  ...paletteCommands,
  ...viewCommands,
  ...tabCommands,
  ...roomCommands,
];
