import { join } from "node:path";
import type { HoursFacts } from "../measure/contract.ts";
import { LIVE_RATE } from "../run/bench-plan.ts";
import { runMeasurement } from "../run/run-measurement.ts";
import { type FigureGroup, FULL_ONLY } from "./bench-context.ts";

const MEGABYTE = 1e6;
/** Samples are ten simulated minutes apart. */
const SAMPLES_PER_HOUR = 6;

/** Hours of a steady feed through the real stages and the real lake, the clock moved by hand. */
export const simulatedHours: FigureGroup = {
  name: "simulated-hours",
  rows: {
    catalog: {
      figure: `catalog.sqlite after 3 simulated hours at ${LIVE_RATE} events/s`,
      limit: { kind: "at-most", value: 250, unit: "megabytes" },
    },
    catalogFlat: {
      figure: "its size after 3 hours, of that after 1 hour",
      limit: { kind: "at-most", value: 1.2, unit: "factor" },
    },
    commitFlat: {
      figure: "live commit p99 in the third hour, of that in the first",
      limit: { kind: "at-most", value: 1.5, unit: "factor" },
    },
  },
  measure: async ({ plan, root }) => {
    const facts = await runMeasurement("hours", {
      root: join(root, "simulated-hours"),
      source: "bench",
      minutes: plan.simulatedMinutes,
      eventsPerSecond: LIVE_RATE,
    });
    const size = Math.max(...facts.catalogBytes) / MEGABYTE;
    const span = plan.isQuick ? `after ${facts.simulatedMinutes} simulated minutes instead of 3 hours; ` : "";
    const catalog = {
      value: size,
      baseline: "",
      note: `${span}the largest of ${facts.catalogBytes.length} samples, write-ahead log included, ${facts.commits} commits`,
    };
    if (plan.isQuick) return { catalog, catalogFlat: FULL_ONLY, commitFlat: FULL_ONLY };
    return { catalog, ...flatness(facts) };
  },
};

function flatness({ catalogBytes, commitP99Ms }: HoursFacts): {
  catalogFlat: { value: number; baseline: string };
  commitFlat: { value: number; baseline: string };
} {
  const firstHour = catalogBytes[SAMPLES_PER_HOUR - 1] ?? Number.NaN;
  const first = Math.max(...commitP99Ms.slice(0, SAMPLES_PER_HOUR));
  const third = Math.max(...commitP99Ms.slice(-SAMPLES_PER_HOUR));
  return {
    catalogFlat: {
      value: Math.max(...catalogBytes.slice(SAMPLES_PER_HOUR)) / firstHour,
      baseline: `${(firstHour / MEGABYTE).toFixed(0)} MB after 1 hour`,
    },
    commitFlat: { value: third / first, baseline: `${first.toFixed(1)} ms` },
  };
}
