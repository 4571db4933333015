/**
 * Runs in the sandboxed window before the page and puts `window.highwater` there: two functions, one channel each way, and the path of a dropped file.
 * Compiled to CommonJS, because a sandboxed preload script can require nothing but electron.
 */
import { contextBridge, ipcRenderer, webUtils } from "electron";
import { EVENT_CHANNEL, INVOKE_CHANNEL } from "../bridge/channels.ts";

contextBridge.exposeInMainWorld("highwater", {
  invoke: (command: unknown, args: unknown): Promise<unknown> =>
    ipcRenderer.invoke(INVOKE_CHANNEL, command, args),
  // Only the page's own dropped files have one; main checks whatever comes of it.
  pathOf: (file: File): string => webUtils.getPathForFile(file),
  on: (event: unknown, listener: (payload: unknown) => void): (() => void) => {
    // The page gets the payload only; Electron's event object would hand it the sender.
    const hear = (_event: unknown, name: unknown, payload: unknown): void => {
      if (name === event) listener(payload);
    };
    ipcRenderer.on(EVENT_CHANNEL, hear);
    return () => void ipcRenderer.off(EVENT_CHANNEL, hear);
  },
});
