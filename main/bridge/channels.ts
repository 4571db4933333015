/** Names of Electron's channels between main and the preload script; nothing else crosses. */
export const INVOKE_CHANNEL = "highwater:invoke";
export const EVENT_CHANNEL = "highwater:event";
