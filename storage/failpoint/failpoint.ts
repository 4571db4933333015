import { writeFileSync } from "node:fs";
import type { FailpointName, FailpointReport } from "../model/failpoints.ts";

type Armed = { name: FailpointName; hitsLeft: number; reportPath: string };

let armed: Armed | null = null;
let hits = 0;
let range: { from: number; to: number } | null = null;

/** Arms one failpoint: at its `hit`-th passage from now (1 = the next) the process reports to `reportPath` and stops for good. */
export function armFailpoint(name: FailpointName, hit: number, reportPath: string): void {
  armed = { name, hitsLeft: hit, reportPath };
  hits = 0;
}

/** Takes back what {@link armFailpoint} armed, where it was not reached yet. */
export function disarmFailpoint(): void {
  armed = null;
}

/** Tells the trigger which offsets are in flight, so that the report can name them. */
export function setFailpointRange(from: number, to: number): void {
  range = { from, to };
}

/**
 * A named place. Costs one comparison unless armed. When armed and due, writes a {@link FailpointReport} and blocks this
 * thread for ever: only SIGKILL ends it. Writing a file, not a message, because a blocked thread may never flush a pipe.
 */
export function failpoint(name: FailpointName): void {
  if (armed === null || armed.name !== name) return;
  hits += 1;
  armed.hitsLeft -= 1;
  if (armed.hitsLeft > 0) return;
  const report: FailpointReport = {
    name,
    pid: process.pid,
    hit: hits,
    fromOffset: range?.from ?? null,
    toOffset: range?.to ?? null,
  };
  writeFileSync(armed.reportPath, JSON.stringify(report));
  // Atomics.wait on a value that nobody changes: no CPU, no timers, no way on but a kill.
  const cell = new Int32Array(new SharedArrayBuffer(4));
  for (;;) Atomics.wait(cell, 0, 0);
}

/** Arms from HIGHWATER_FAILPOINT=`name:hit:reportPath`, so that a test can stop a worker before its first message. */
export function armFailpointFromEnv(
  isName: (value: string) => value is FailpointName,
  env: NodeJS.ProcessEnv = process.env,
): void {
  const value = env["HIGHWATER_FAILPOINT"];
  if (value === undefined || value === "") return;
  const [name = "", hit = "1", ...path] = value.split(":");
  if (isName(name) && path.length > 0) armFailpoint(name, Number(hit), path.join(":"));
}
