import { ipcMain, type IpcMainInvokeEvent } from "electron";
import type { Dispatcher } from "../bridge/dispatcher.ts";
import { INVOKE_CHANNEL } from "../bridge/channels.ts";
import { APP_ORIGIN } from "./app-files.ts";

/** Only the top frame of a page of ours may ask; a frame that something smuggled in may not. */
function isTrusted(event: IpcMainInvokeEvent): boolean {
  const frame = event.senderFrame;
  return frame !== null && frame === event.sender.mainFrame && frame.url.startsWith(`${APP_ORIGIN}/`);
}

/** Answers the windows' commands; returns the end of it. */
export function serveBridge(dispatch: Dispatcher): () => void {
  ipcMain.handle(INVOKE_CHANNEL, (event, command: unknown, args: unknown) => {
    if (!isTrusted(event)) throw new Error("the sender is not the workbench");
    return dispatch(command, args);
  });
  return () => ipcMain.removeHandler(INVOKE_CHANNEL);
}
