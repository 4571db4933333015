import type { FrameLimits, ReceivedFrame } from "../source-contract.ts";
import { parseFrames, type StreamEnd } from "./frame-parser.ts";

/** What the product makes of a stream given in `chunks`. */
export type ParsedChunks = {
  readonly frames: readonly ReceivedFrame[];
  readonly emptyFrames: number;
  readonly end: StreamEnd;
};

/** Runs the product's parser over `chunks`, one read each. */
export async function parseChunks(
  chunks: Iterable<Uint8Array>,
  limits: FrameLimits = { capBytes: 10_485_760, keepBytes: 1_048_576 },
): Promise<ParsedChunks> {
  const frames: ReceivedFrame[] = [];
  let emptyFrames = 0;
  const iterator = chunks[Symbol.iterator]();
  const end = await parseFrames(
    {
      read: async () => {
        const next = iterator.next();
        return next.done === true ? null : next.value;
      },
    },
    limits,
    {
      take: (frame) => frames.push(frame),
      takeEmpty: (count) => {
        emptyFrames += count;
      },
    },
  );
  return { frames, emptyFrames, end };
}

/** Cuts `bytes` at the given places (any order, any number). */
export function cutAt(bytes: Buffer, places: readonly number[]): Buffer[] {
  const cuts = [...new Set(places.map((place) => place % (bytes.length + 1)))].toSorted((a, b) => a - b);
  return [...cuts, bytes.length].map((end, i) => bytes.subarray(cuts[i - 1] ?? 0, end));
}
