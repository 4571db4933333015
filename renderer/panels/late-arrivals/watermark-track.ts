import { createStore, type StoreApi } from "zustand/vanilla";
import type { AppStatus } from "#main/contract/app-status.ts";

/** The watermark as a status told it; null while there is none, or nobody told. */
export type WatermarkSample = { readonly atMs: number; readonly watermarkMs: number | null };

/** How far back the line looks. */
export const TRACK_MS = 600_000;
const SAMPLE_EVERY_MS = 1_000;
/** Without a status for this long (hidden window, dead worker) the line is interrupted: nobody saw it. */
const SILENCE_MS = 5_000;

/** Takes one status: at most a sample a second, none older than {@link TRACK_MS}. The same array = nothing new. */
export function takeWatermark(
  samples: readonly WatermarkSample[],
  { atMs, pipeline }: Pick<AppStatus, "atMs" | "pipeline">,
): readonly WatermarkSample[] {
  const last = samples.at(-1);
  if (last !== undefined && atMs - last.atMs < SAMPLE_EVERY_MS) return samples;
  const gap =
    last !== undefined && atMs - last.atMs > SILENCE_MS ? [{ atMs: last.atMs + 1, watermarkMs: null }] : [];
  const sample = { atMs, watermarkMs: pipeline?.watermarkMs ?? null };
  return [...samples, ...gap, sample].filter((one) => one.atMs >= atMs - TRACK_MS);
}

/** The watermark of the last ten minutes, also of those in which another room was open. Another lake begins anew. */
export class WatermarkTrack {
  readonly store: StoreApi<{ readonly samples: readonly WatermarkSample[] }> = createStore<{
    readonly samples: readonly WatermarkSample[];
  }>(() => ({ samples: [] }));
  #lake = "";

  takeStatus(status: AppStatus): void {
    const lake = `${status.dataFolder}\n${status.source}`;
    if (lake !== this.#lake) this.store.setState({ samples: [] });
    this.#lake = lake;
    const before = this.store.getState().samples;
    const samples = takeWatermark(before, status);
    if (samples !== before) this.store.setState({ samples });
  }
}
