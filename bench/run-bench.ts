import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { availableParallelism, cpus, tmpdir } from "node:os";
import { join } from "node:path";
import { type BenchContext, countText, type FigureGroup, rowsOf } from "./figures/bench-context.ts";
import { catchingUp } from "./figures/catching-up.ts";
import { history } from "./figures/history.ts";
import { ingest } from "./figures/ingest.ts";
import { live } from "./figures/live.ts";
import { simulatedHours } from "./figures/simulated-hours.ts";
import { wholeProduct } from "./figures/whole-product.ts";
import { type BenchPlan, EVENT_RATE, parsePlan } from "./run/bench-plan.ts";
import { runMeasurement } from "./run/run-measurement.ts";
import { isFailure, type Row, verdictOf } from "./table/figure.ts";
import { formatTable } from "./table/print-table.ts";

const GROUPS: readonly FigureGroup[] = [catchingUp, ingest, wholeProduct, live, simulatedHours, history];
/** How often a group with a broken row is measured again. */
const MEASURE_AGAIN = 2;
/** Events that the baseline holds in memory at once. */
const BASELINE_EVENTS = 100_000;

const USAGE = `npm run bench -- [--quick] [--json FILE] [--only TEXT] [--events N] [--history N]
  --quick    shortened measurements, at most 5 minutes on 2 cores
  --json     also write the table as JSON
  --only     measure only groups whose name holds TEXT: ${GROUPS.map(({ name }) => name).join(", ")}
  --events   events to catch up on (quick: 150000, full: 1000000)
  --history  events of the long history (full: 10000000)`;

async function main(plan: BenchPlan): Promise<number> {
  const root = mkdtempSync(join(tmpdir(), "highwater-bench-"));
  const clean = (): void => rmSync(root, { recursive: true, force: true });
  for (const signal of ["SIGINT", "SIGTERM"] as const) {
    process.once(signal, () => {
      clean();
      process.exit(1);
    });
  }
  const began = performance.now();
  try {
    const context = await prepare(plan, root);
    const rows: Row[] = [];
    for (const group of GROUPS.filter(({ name }) => plan.only === null || name.includes(plan.only))) {
      console.error(`measuring ${group.name} …`);
      rows.push(...(await measureGroup(group, context)));
    }
    const seconds = (performance.now() - began) / 1_000;
    console.log([formatTable(rows), ...context.remarks, describeRun(plan, context, seconds)].join("\n"));
    if (plan.jsonPath !== null) writeFileSync(plan.jsonPath, toJson(plan, context, rows, seconds));
    return isFailure(rows) ? 1 : 0;
  } finally {
    clean();
  }
}

/**
 * Rows of one group. A broken row on a shared machine may be a neighbour's doing: the group is measured again, baseline
 * beside it, and the table says so. A figure that is really broken is broken each time.
 */
async function measureGroup(group: FigureGroup, context: BenchContext): Promise<readonly Row[]> {
  let rows = await rowsOf(group, context);
  for (let again = 0; isFailure(rows) && again < MEASURE_AGAIN; again += 1) {
    const broken = rows.filter((row) => isFailure([row])).map(({ figure }) => figure);
    context.remarks.push(`${group.name} measured again, since broken at first: ${broken.join("; ")}`);
    console.error(`measuring ${group.name} again …`);
    const root = mkdtempSync(join(context.root, "again-"));
    const { corpusPath } = context;
    const baseline = await runMeasurement("baseline", { corpusPath, events: BASELINE_EVENTS });
    rows = await rowsOf(group, { ...context, root, baseline });
  }
  return rows;
}

/** Writes the corpus and measures the baseline: every figure of this run is of these bytes on this machine. */
async function prepare(plan: BenchPlan, root: string): Promise<BenchContext> {
  console.error(`generating ${countText(plan.events)} events …`);
  const corpusPath = join(root, "corpus.sse");
  const corpus = await runMeasurement("corpus", {
    path: corpusPath,
    events: plan.events,
    eventRate: EVENT_RATE,
  });
  console.error("measuring the baseline …");
  const baseline = await runMeasurement("baseline", { corpusPath, events: BASELINE_EVENTS });
  return { plan, root, corpusPath, corpus, baseline, remarks: [] };
}

function describeRun(plan: BenchPlan, { corpus }: BenchContext, seconds: number): string {
  const bytes = Math.round(corpus.dataBytes / corpus.records);
  const machine = `${availableParallelism()} cores (${cpus()[0]?.model ?? "unknown"}), Node ${process.versions.node}`;
  return `${plan.isQuick ? "quick" : "full"} run of ${seconds.toFixed(0)} s on ${machine}; ${corpus.records} records of ${bytes} bytes, ${EVENT_RATE} a second of event time.`;
}

function toJson(plan: BenchPlan, context: BenchContext, rows: readonly Row[], seconds: number): string {
  const { corpus, baseline, remarks } = context;
  const table = rows.map((row) => ({ ...row, verdict: verdictOf(row) }));
  return `${JSON.stringify({ plan, corpus, baseline, rows: table, remarks, seconds }, null, 2)}\n`;
}

if (process.argv.includes("--help")) console.log(USAGE);
else process.exitCode = await main(parsePlan(process.argv.slice(2)));
