import type { CDPSession, Page } from "@playwright/test";
import { readFileSync } from "node:fs";

/** What one stretch of frames cost. Times in ms, shares of one core. */
export type FrameFigures = {
  readonly frames: number;
  readonly p50Ms: number;
  readonly p95Ms: number;
  readonly longestMs: number;
  /** Of the page's main thread: script, style, layout, paint. */
  readonly busyShare: number;
  readonly scriptShare: number;
  readonly layoutShare: number;
  /** Tasks of more than 50 ms, which a hand can feel. */
  readonly longTasks: number;
};

/** Iterations of the fixed work; about 0.1 s on a laptop of 2024. */
const FIXED_ITERATIONS = 40_000_000;

/** Milliseconds of a work that never changes: how fast this machine was in this minute. */
export function timeFixedWork(): number {
  const startedMs = performance.now();
  let state = 1;
  for (let at = 0; at < FIXED_ITERATIONS; at += 1) state = (Math.imul(state, 1_664_525) + 1_013_904_223) | 0;
  // Used, so that no engine leaves the loop out.
  return performance.now() - startedMs + (state === 0 ? 1e-9 : 0);
}

/** Milliseconds of processor time that a process has used (Linux: clock ticks of 10 ms in /proc). */
export function readCpuMs(pid: number): number {
  const stat = readFileSync(`/proc/${pid}/stat`, "utf8");
  // The name in parentheses may hold spaces; user and system time are the 14th and 15th field of all.
  const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
  return (Number(fields[11]) + Number(fields[12])) * 10;
}

/** Bytes of live objects in the page, after everything else was collected. */
export async function readLiveHeap(session: CDPSession): Promise<number> {
  await session.send("HeapProfiler.collectGarbage");
  const { usedSize } = await session.send("Runtime.getHeapUsage");
  return usedSize;
}

async function readDurations(session: CDPSession): Promise<ReadonlyMap<string, number>> {
  const { metrics } = await session.send("Performance.getMetrics");
  return new Map(metrics.map(({ name, value }) => [name, value]));
}

/** Measures the frames of `forMs` milliseconds: the page counts its own, the protocol says what its thread worked. */
export async function measureFrames(page: Page, session: CDPSession, forMs: number): Promise<FrameFigures> {
  const before = await readDurations(session);
  const { deltas, longTasks } = await page.evaluate(
    (lastsMs) =>
      new Promise<{ deltas: number[]; longTasks: number }>((resolve) => {
        const deltas: number[] = [];
        let longTasks = 0;
        const observer = new PerformanceObserver((list) => (longTasks += list.getEntries().length));
        observer.observe({ type: "longtask" });
        const startedMs = performance.now();
        let lastMs: number | null = null;
        const onFrame = (nowMs: number): void => {
          if (lastMs !== null) deltas.push(nowMs - lastMs);
          lastMs = nowMs;
          if (nowMs - startedMs < lastsMs) requestAnimationFrame(onFrame);
          else {
            observer.disconnect();
            resolve({ deltas, longTasks });
          }
        };
        requestAnimationFrame(onFrame);
      }),
    forMs,
  );
  const after = await readDurations(session);
  const spent = (name: string): number => (after.get(name) ?? 0) - (before.get(name) ?? 0);
  const elapsed = spent("Timestamp");
  const sorted = deltas.toSorted((a, b) => a - b);
  const at = (share: number): number => sorted[Math.floor(sorted.length * share)] ?? Number.NaN;
  return {
    frames: deltas.length,
    p50Ms: at(0.5),
    p95Ms: at(0.95),
    longestMs: sorted.at(-1) ?? Number.NaN,
    busyShare: spent("TaskDuration") / elapsed,
    scriptShare: spent("ScriptDuration") / elapsed,
    layoutShare: (spent("LayoutDuration") + spent("RecalcStyleDuration")) / elapsed,
    longTasks,
  };
}
