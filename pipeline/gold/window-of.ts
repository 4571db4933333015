import type { GoldInput, GoldTable, WindowLengths } from "./gold-table.ts";

/** Start and length of a window; its end is `startUs + lengthMs × 1,000`, exclusive. */
export type WindowBounds = { readonly startUs: number; readonly lengthMs: number };

/** The window of `gold` that a row belongs to under the lengths in force at its offset; null: not for this table. */
export function windowOf(gold: GoldTable, input: GoldInput, lengths: WindowLengths): WindowBounds | null {
  const timeUs = gold.timeOf(input);
  if (timeUs === null) return null;
  const lengthMs = lengths[gold.window];
  const lengthUs = lengthMs * 1_000;
  return { startUs: Math.floor(timeUs / lengthUs) * lengthUs, lengthMs };
}

/** True where a window that ends at or before the watermark is settled. */
export function isSettled(window: WindowBounds, watermarkUs: number | null): boolean {
  return watermarkUs !== null && window.startUs + window.lengthMs * 1_000 <= watermarkUs;
}

/** What a row does to its window: joins it, is excluded because the window was settled at the row's offset, or amends it. */
export function fateOf(window: WindowBounds, input: GoldInput): "joins" | "excluded" | "amends" {
  if (!isSettled(window, input.watermarkUs)) return "joins";
  return input.amends ? "amends" : "excluded";
}
