import { randomBytes } from "node:crypto";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { toOffset } from "../model/brand.ts";
import type { AppendRecord } from "../model/record.ts";
import { RECORD_KINDS } from "../model/record.ts";
import {
  decodeBlock,
  encodeBlock,
  MAX_BLOCK_DATA_BYTES,
  MAX_BLOCK_RECORDS,
  splitIntoBlocks,
} from "./block-codec.ts";
import { event, events } from "./log-fixture.test-support.ts";

// binary: any UTF-16 code units, lone surrogates included.
const anyText = fc
  .string({ unit: "binary", maxLength: 20 })
  .map((text) => text + String.fromCharCode(0xd800));
const text = fc.oneof(fc.string({ maxLength: 20 }), anyText);
const record: fc.Arbitrary<AppendRecord> = fc.record({
  kind: fc.constantFrom(...RECORD_KINDS),
  stream: text,
  sourceId: text,
  receivedTimeMs: fc.double({ noNaN: true }),
  serverOffsetMs: fc.option(fc.double({ noNaN: true })),
  data: fc.uint8Array({ maxLength: 50 }),
  detail: fc.option(text),
});

describe("block codec", () => {
  test("gives every record back exactly, whatever its text, bytes and numbers", () => {
    fc.assert(
      fc.property(fc.array(record, { minLength: 1, maxLength: 40 }), (records) => {
        const decoded = decodeBlock(encodeBlock(records), toOffset(10), records.length);
        expect(decoded).toEqual(records.map((one, index) => ({ ...one, offset: 10 + index })));
      }),
      { numRuns: 60 },
    );
  });

  test("hands out views of one buffer instead of copies", () => {
    const decoded = decodeBlock(encodeBlock(events(3)), toOffset(1), 3);
    expect(new Set(decoded.map(({ data }) => data.buffer)).size).toBe(1);
  });

  test("never gives wrong records for a block with a byte changed or cut off", () => {
    const block = encodeBlock([event(randomBytes(300)), event("two")]);
    const right = decodeBlock(block, toOffset(1), 2);
    const decodeOrNull = (body: Uint8Array): unknown => {
      try {
        return decodeBlock({ ...block, body }, toOffset(1), 2);
      } catch {
        return null;
      }
    };
    let refused = 0;
    for (let at = 0; at < block.body.length; at += 1) {
      const body = Uint8Array.from(block.body);
      body[at] = (body[at] ?? 0) ^ 0x10;
      const decoded = decodeOrNull(body);
      // A few bits of a zstd frame mean nothing; whatever still decodes must be the very same records.
      if (decoded === null) refused += 1;
      expect(decoded ?? right).toEqual(right);
      expect(decodeOrNull(block.body.subarray(0, at))).toBeNull();
    }
    expect(refused).toBeGreaterThan(block.body.length * 0.9);
  });

  test("refuses a block whose row says another count, length or codec", () => {
    const block = encodeBlock(events(2));
    expect(() => decodeBlock(block, toOffset(1), 3)).toThrow(RangeError);
    expect(() => decodeBlock({ ...block, rawBytes: block.rawBytes - 1 }, toOffset(1), 2)).toThrow(
      /larger than/,
    );
    expect(() => decodeBlock({ ...block, rawBytes: block.rawBytes + 1 }, toOffset(1), 2)).toThrow(RangeError);
    expect(() => decodeBlock({ ...block, codec: 9 }, toOffset(1), 2)).toThrow(RangeError);
  });

  test("cuts at 500 records and at the size limit, and loses none", () => {
    const sizes = splitIntoBlocks(events(1_201)).map((block) => block.length);
    expect(sizes).toEqual([MAX_BLOCK_RECORDS, MAX_BLOCK_RECORDS, 201]);
    const big = event(new Uint8Array(MAX_BLOCK_DATA_BYTES / 2));
    expect(splitIntoBlocks([big, big, big, event("x")]).map((block) => block.length)).toEqual([2, 2]);
    expect(splitIntoBlocks([])).toEqual([]);
  });
});
