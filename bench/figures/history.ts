import { join } from "node:path";
import type { Place, QueryTimes } from "../measure/contract.ts";
import { EVENT_RATE } from "../run/bench-plan.ts";
import { runMeasurement } from "../run/run-measurement.ts";
import type { Reached } from "../table/figure.ts";
import { countText, type FigureGroup, FULL_ONLY } from "./bench-context.ts";
import { runPipelineTo } from "./catching-up.ts";

const MILLION = 1_000_000;
const QUERY_LIMIT = { kind: "at-most", value: 2.5, unit: "factor" } as const;

/** A long history: memory and gold fold must not grow with it, and queries over it must stay near native DuckDB. */
export const history: FigureGroup = {
  name: "history",
  rows: {
    memory: {
      figure: "memory of the pipeline worker after 3 M events, of that after 1 M",
      limit: { kind: "at-most", value: 1.2, unit: "factor" },
    },
    fold: {
      figure: "gold fold at 10 M rows of history, of that at 1 M",
      limit: { kind: "at-most", value: 1.5, unit: "factor" },
    },
    count: { figure: "query: count, of native DuckDB", limit: QUERY_LIMIT },
    "per-wiki sum": { figure: "query: per-wiki sum, of native DuckDB", limit: QUERY_LIMIT },
    "last hour per minute": { figure: "query: last hour per minute, of native DuckDB", limit: QUERY_LIMIT },
    "top pages": { figure: "query: top pages, of native DuckDB", limit: QUERY_LIMIT },
  },
  measure: async ({ plan, root, corpusPath }) => {
    const events = plan.history ?? plan.events;
    const place = { root: join(root, "history"), source: "bench" };
    const { records } = await runMeasurement("fill", {
      ...place,
      content: { corpusPath: plan.history === null ? corpusPath : null, events, eventRate: EVENT_RATE },
    });
    const memory = new Map<number, number>();
    await runPipelineTo(place, records + 1, (checkpoint, rssBytes) => {
      for (const mark of [MILLION, 3 * MILLION]) {
        // The mean around a mark, since a garbage collection may fall on either side of it.
        if (Math.abs(checkpoint - mark) < MILLION / 20) {
          memory.set(mark, Math.max(memory.get(mark) ?? 0, rssBytes));
        }
      }
    });
    const times = await runMeasurement("queries", place);
    return {
      memory: memoryRow(memory),
      fold: await foldRow(place, join(root, "fold")),
      ...queryRows(times, events, plan.isQuick),
    };
  },
};

function memoryRow(memory: ReadonlyMap<number, number>): Reached | typeof FULL_ONLY {
  const [first, third] = [memory.get(MILLION), memory.get(3 * MILLION)];
  if (first === undefined || third === undefined) return FULL_ONLY;
  return {
    value: third / first,
    baseline: `${(first / 1e6).toFixed(0)} MB`,
    note: "largest resident memory that telemetry told within 50 k events of each mark",
  };
}

async function foldRow(place: Place, lakeRoot: string): Promise<Reached> {
  const { foldLateMs, foldEarlyMs, foldEarlyAt, events } = await runMeasurement("stages", {
    ...place,
    lakeRoot,
    writes: false,
  });
  return {
    value: foldLateMs / foldEarlyMs,
    baseline: `${foldEarlyMs.toFixed(1)} ms a batch`,
    note: `at ${countText(events)} events, of that at ${countText(foldEarlyAt)}`,
  };
}

function queryRows(
  times: readonly QueryTimes[],
  events: number,
  isQuick: boolean,
): Readonly<Record<string, Reached>> {
  return Object.fromEntries(
    times.map(({ name, oursMs, nativeMs }) => [
      name,
      {
        value: oursMs / nativeMs,
        baseline: `${nativeMs.toFixed(1)} ms`,
        note: `over ${countText(events)} events${isQuick ? " instead of 10 M" : ""}: ${oursMs.toFixed(1)} ms through the console's session`,
      },
    ]),
  );
}
