import type { Bridge } from "#main/contract/bridge.ts";

declare global {
  interface Window {
    /** Set by the preload script; missing where the page runs outside the app. */
    readonly highwater?: Bridge;
  }
}

/** The only way out of the sandboxed window. Throws where the preload script did not run: nothing could work then. */
export function getBridge(): Bridge {
  if (window.highwater === undefined) throw new Error("the preload script did not run; start the app again");
  return window.highwater;
}
