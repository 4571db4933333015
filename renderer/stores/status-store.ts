import { createStore, type StoreApi } from "zustand/vanilla";
import type { AppStatus } from "#main/contract/app-status.ts";

/** The newest status of the app; null until the first one came. */
export type StatusState = { readonly status: AppStatus | null };

export function createStatusStore(): StoreApi<StatusState> {
  return createStore<StatusState>(() => ({ status: null }));
}
