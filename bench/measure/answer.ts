import type { MeasurementName, Measurements } from "./contract.ts";

/** The body of a measurement's process: takes the input from the command line, sends the output to the parent, ends. */
export async function answer<Name extends MeasurementName>(
  _name: Name,
  measure: (
    input: Measurements[Name]["input"],
  ) => Measurements[Name]["output"] | Promise<Measurements[Name]["output"]>,
): Promise<void> {
  const output = await measure(parseInput<Name>(process.argv[2]));
  process.send?.({ output }, () => process.disconnect());
}

/** Both ends are of one checkout, so the text is what {@link Measurements} says. */
function parseInput<Name extends MeasurementName>(text: string | undefined): Measurements[Name]["input"] {
  return JSON.parse(text ?? "null") as Measurements[Name]["input"];
}

/** The value at a quantile (0 … 1) of numbers that need not be sorted; NaN of none. */
export function quantile(values: readonly number[], q: number): number {
  const sorted = values.toSorted((left, right) => left - right);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * q))] ?? Number.NaN;
}

/** CPU time that this thread has used so far, ms: a busy machine stretches elapsed time, not this. */
export function threadCpuMs(): number {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1_000;
}
