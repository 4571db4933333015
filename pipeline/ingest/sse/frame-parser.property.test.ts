import fc from "fast-check";
import { createHash } from "node:crypto";
import { expect, test } from "vitest";
import { cutAt, parseChunks } from "./parse-chunks.test-support.ts";
import { parseByStandard } from "./reference-parser.test-support.ts";

const BOM = Buffer.from([0xef, 0xbb, 0xbf]);
const bytes = (text: string): Buffer => Buffer.from(text, "utf8");

/** Values with everything that has broken parsers: bad UTF-8, NUL, byte order marks, colons, spaces, astral characters. */
const value = fc.oneof(
  fc.string({ unit: "binary", maxLength: 12 }).map((text) => bytes(text.replaceAll(/[\r\n]/g, " "))),
  fc
    .uint8Array({ maxLength: 12 })
    .map((raw) => Buffer.from(raw.map((byte) => (byte === 10 || byte === 13 ? 32 : byte)))),
  fc.constantFrom("", " ", "  x", ":", "\uFEFF", "\0", '{"__proto__":1}', "é😀\u2028").map(bytes),
);
const name = fc.constantFrom(
  "data",
  "data: ",
  "data:",
  "event:",
  "id:",
  "id: ",
  "retry:",
  ":",
  ": ",
  "dat",
  "datax:",
  "Data:",
  "x:",
  "id",
  "event",
);
const line = fc.oneof(
  { weight: 3, arbitrary: fc.tuple(name, value).map(([field, text]) => Buffer.concat([bytes(field), text])) },
  { weight: 2, arbitrary: fc.constant(Buffer.alloc(0)) },
  { weight: 1, arbitrary: value },
);
const terminator = fc.constantFrom("\n", "\r", "\r\n").map(bytes);
const stream = fc
  .tuple(fc.nat(2), fc.array(fc.tuple(line, terminator), { maxLength: 30 }), value)
  .map(([boms, lines, rest]) => Buffer.concat([...Array<Buffer>(boms).fill(BOM), ...lines.flat(), rest]));

test("frames, ids, types, data bytes, empty and cut frames are the standard's, wherever chunks are cut", async () => {
  await fc.assert(
    fc.asyncProperty(stream, fc.array(fc.nat(600), { maxLength: 20 }), async (whole, places) => {
      const expected = parseByStandard(whole);
      const parsed = await parseChunks(cutAt(whole, places));
      const plain = parsed.frames.map(({ stream: type, sourceId, data }) => ({
        stream: type,
        sourceId,
        data: Buffer.from(data),
      }));
      expect(plain).toEqual(expected.frames);
      expect(parsed.emptyFrames).toBe(expected.emptyFrames);
      expect(parsed.end.isCut).toBe(expected.isCut);
    }),
    { numRuns: 1_500 },
  );
});

test("frames above the cap are kept as oversized with length and hash of all their data, and harm no neighbour", async () => {
  const capBytes = 2_000;
  const keepBytes = 300;
  const nl = fc.constantFrom("\n", "\r", "\r\n");
  const small = fc.tuple(fc.constant("small"), fc.nat(500), nl);
  const big = fc.tuple(fc.constant("big"), fc.integer({ min: 2_100, max: 9_000 }), nl);
  const places = fc.array(fc.nat(60_000), { maxLength: 30 });
  await fc.assert(
    fc.asyncProperty(fc.array(fc.oneof(small, big), { maxLength: 12 }), places, async (items, cuts) => {
      const frames = items.map(([size, length, end], i) => {
        const lines = [`event: e${i}`, `id: ${i}`, `data: ${"ä".repeat(length >> 1)}`, `data:${i}`, "", ""];
        return { size, text: lines.join(end), data: bytes(`${"ä".repeat(length >> 1)}\n${i}`) };
      });
      const whole = Buffer.concat(frames.map(({ text }) => bytes(text)));
      const parsed = await parseChunks(cutAt(whole, cuts), { capBytes, keepBytes });
      expect(parsed.frames.map(({ kind }) => kind)).toEqual(
        frames.map(({ size }) => (size === "big" ? "oversized" : "event")),
      );
      for (const [i, frame] of parsed.frames.entries()) {
        const sent = frames[i]?.data ?? Buffer.alloc(0);
        expect(frame.sourceId).toBe(String(i));
        expect(frame.stream).toBe(`e${i}`);
        const isBig = frame.kind === "oversized";
        expect(Buffer.from(frame.data)).toEqual(isBig ? sent.subarray(0, keepBytes) : sent);
        const sha256 = createHash("sha256").update(sent).digest("hex");
        const detail: unknown = JSON.parse(frame.detail ?? "null");
        expect(detail).toEqual(isBig ? { lengthBytes: sent.length, sha256 } : null);
      }
    }),
    { numRuns: 200 },
  );
});
