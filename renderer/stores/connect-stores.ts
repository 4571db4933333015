import type { AppStatus } from "#main/contract/app-status.ts";
import { call } from "#renderer/bridge/call.ts";
import type { AppStores } from "./app-stores.ts";

/** Joins the window to main: every status goes to the stores, the first one is asked for. Returns the end of it. */
export function connectStores(stores: AppStores): () => void {
  const take = (status: AppStatus): void => {
    stores.status.setState({ status });
    stores.history.takeStatus(status);
    stores.sources.takeStatus(status);
    stores.liveEdits.takeStatus(status);
    stores.pipelineRoom.takeStatus(status);
    stores.lateArrivals.takeStatus(status);
    stores.watermarkTrack.takeStatus(status);
    stores.deadLetters.takeStatus(status);
    stores.tablesRoom.takeStatus(status);
  };
  const leave = stores.bridge.on("status", take);
  void call(stores.bridge, "app.status", {}).then((answer) => {
    // An event may have come first; it is newer.
    if (answer.ok && stores.status.getState().status === null) take(answer.value);
  });
  const leaveExports = stores.exports.connect();
  const leaveKills = stores.pipelineRoom.connect();
  return () => {
    leave();
    leaveExports();
    leaveKills();
  };
}
