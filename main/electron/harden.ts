import { app, type Session } from "electron";
import { APP_ORIGIN, APP_SCHEME, serveAppFile } from "./app-files.ts";

/** The page may put text that the user copies into the clipboard; every other permission is denied. */
const ALLOWED_PERMISSIONS = new Set(["clipboard-sanitized-write"]);

function isOurs(url: string): boolean {
  return url.startsWith(`${APP_ORIGIN}/`);
}

/** Closes every way in and out of a window's session but our own files and the bridge. */
export function hardenSession(session: Session, rendererFolder: string): void {
  session.protocol.handle(APP_SCHEME, (request) => serveAppFile(rendererFolder, request.url));
  session.setPermissionRequestHandler((_contents, permission, decide) =>
    decide(ALLOWED_PERMISSIONS.has(permission)),
  );
  session.setPermissionCheckHandler((_contents, permission) => ALLOWED_PERMISSIONS.has(permission));
  session.setDevicePermissionHandler(() => false);
  session.webRequest.onBeforeRequest((details, decide) => {
    // The developer tools are part of Electron and load their own files.
    decide({ cancel: !isOurs(details.url) && !details.url.startsWith("devtools://") });
  });
  session.on("will-download", (event) => event.preventDefault());
}

/** Denies navigation, new windows and webviews in every page this process will ever make. */
export function hardenEveryPage(): void {
  app.on("web-contents-created", (_event, contents) => {
    contents.setWindowOpenHandler(() => ({ action: "deny" }));
    contents.on("will-attach-webview", (event) => event.preventDefault());
    // The only move a page may make is to load itself again (the crash card's button).
    const stay = (event: { readonly url: string; readonly preventDefault: () => void }): void => {
      if (!event.url.startsWith(`${APP_ORIGIN}/index.html`)) event.preventDefault();
    };
    contents.on("will-navigate", stay);
    contents.on("will-redirect", stay);
    contents.on("will-frame-navigate", stay);
  });
}
