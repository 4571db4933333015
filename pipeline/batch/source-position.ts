import { type Decoded, isJsonObject, type SourcePosition } from "../protocol/change.ts";

/**
 * Topic, partition and offset that the stream service added to an event; null where they cannot be read.
 * Asked only for records with an SSE id: a file of filtered events has holes that nobody could be asked to fill.
 */
export function sourcePositionOf(decoded: Decoded, isCanary: boolean): SourcePosition | null {
  const meta = decoded.readable ? decoded.value["meta"] : undefined;
  if (!isJsonObject(meta)) return null;
  const { topic, partition, offset, dt } = meta;
  if (typeof topic !== "string" || !isCount(partition) || !isCount(offset)) return null;
  return { topic, partition, sourceOffset: offset, dt: typeof dt === "string" ? dt : null, isCanary };
}

function isCount(value: unknown): value is number {
  return typeof value === "number" && Number.isSafeInteger(value) && value >= 0;
}
