import fc from "fast-check";
import { expect, test } from "vitest";
import { bytesOf, firstInvalidUtf8, hexLines, SHOWN_BYTES } from "./record-bytes.ts";

test("bytes are those that were received: the stored ones where they differ from the text, else the text's own", () => {
  expect(bytesOf({ raw: "a\ufffd", bytes: { headHex: "61ff", sizeBytes: 2 } })).toEqual({
    head: Uint8Array.of(0x61, 0xff),
    sizeBytes: 2,
  });
  expect(bytesOf({ raw: "é", bytes: null })).toEqual({ head: Uint8Array.of(0xc3, 0xa9), sizeBytes: 2 });
  expect(bytesOf({ raw: null, bytes: null })).toBeNull();
  const long = bytesOf({ raw: "x".repeat(SHOWN_BYTES + 5), bytes: null });
  expect([long?.head.length, long?.sizeBytes]).toEqual([SHOWN_BYTES, SHOWN_BYTES + 5]);
});

test("a hex line has sixteen bytes, and dots for what cannot be printed", () => {
  const lines = hexLines(new TextEncoder().encode('{"a":"\u0000é"}…xyz'));
  expect(lines.map(({ at }) => at)).toEqual([0, 16]);
  expect(lines[0]?.hex.slice(0, 8)).toEqual(["7b", "22", "61", "22", "3a", "22", "00", "c3"]);
  expect(lines[0]?.text).toBe('{"a":"···"}···xy');
  expect(lines[1]?.text).toBe("z");
});

test("finds the first byte that is no UTF-8, and agrees with the browser's decoder on any bytes", () => {
  expect(firstInvalidUtf8(Uint8Array.of(0x61, 0xc3, 0x28), true)).toBe(1);
  expect(firstInvalidUtf8(Uint8Array.of(0x61, 0xe2, 0x82), true)).toBe(1);
  expect(firstInvalidUtf8(Uint8Array.of(0x61, 0xe2, 0x82), false)).toBe(-1);
  expect(firstInvalidUtf8(Uint8Array.of(0xed, 0xa0, 0x80), true)).toBe(0);
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 12 }), fc.string({ unit: "binary" }), (bytes, text) => {
      for (const one of [bytes, new TextEncoder().encode(text)]) {
        let isValid = true;
        try {
          new TextDecoder("utf-8", { fatal: true }).decode(one);
        } catch {
          isValid = false;
        }
        expect(firstInvalidUtf8(one, true) === -1).toBe(isValid);
      }
    }),
  );
});
