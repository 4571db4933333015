import type { Page } from "@playwright/test";

/** How smoothly a window and main went on, ms. */
export type Pulse = {
  /** Between two frames of the page while it was visible. */
  readonly frames: { readonly count: number; readonly p95: number; readonly longest: number };
  /** Tasks of the page that took longer than 50 ms. */
  readonly longTasks: { readonly count: number; readonly longest: number };
  /** Round trips of `app.status` from the page to main and back, one every 100 ms. */
  readonly trips: { readonly count: number; readonly p95: number; readonly longest: number };
};

type Probe = { frames: number[]; longTasks: number[]; trips: number[]; isOn: boolean };

declare global {
  /** In the page, while {@link startPulse} listens. */
  var pulseProbe: Probe | undefined;
}

/** Begins to listen in the page: every frame, every long task, and main's answer ten times a second. */
export async function startPulse(window: Page): Promise<void> {
  await window.evaluate(() => {
    const probe: Probe = { frames: [], longTasks: [], trips: [], isOn: true };
    globalThis.pulseProbe = probe;
    let last = performance.now();
    const onFrame = (now: number): void => {
      if (!document.hidden) probe.frames.push(now - last);
      last = now;
      if (probe.isOn) requestAnimationFrame(onFrame);
    };
    requestAnimationFrame(onFrame);
    const observer = new PerformanceObserver((list) => {
      for (const { duration } of list.getEntries()) probe.longTasks.push(duration);
    });
    observer.observe({ type: "longtask" });
    const ask = async (): Promise<void> => {
      const began = performance.now();
      await globalThis.highwater.invoke("app.status", {});
      const took = performance.now() - began;
      probe.trips.push(took);
      if (probe.isOn) setTimeout(() => void ask(), Math.max(0, 100 - took));
    };
    void ask();
  });
}

/** Stops listening and tells what was heard. */
export async function stopPulse(window: Page): Promise<Pulse> {
  const { frames, longTasks, trips } = await window.evaluate(() => {
    const probe = globalThis.pulseProbe;
    if (probe === undefined) throw new Error("nobody listened");
    probe.isOn = false;
    return probe;
  });
  return {
    frames: { count: frames.length, p95: shareOf(frames, 0.95), longest: Math.max(0, ...frames) },
    longTasks: { count: longTasks.length, longest: Math.max(0, ...longTasks) },
    trips: { count: trips.length, p95: shareOf(trips, 0.95), longest: Math.max(0, ...trips) },
  };
}

/** The value that `share` (0 to 1) of the values do not exceed; 0 without any. */
export function shareOf(values: readonly number[], share: number): number {
  const sorted = values.toSorted((left, right) => left - right);
  return sorted[Math.max(0, Math.ceil(sorted.length * share) - 1)] ?? 0;
}
