import { Buffer } from "node:buffer";
import { DuckDBInstance } from "@duckdb/node-api";
import { describe, expect, test } from "vitest";
import { decode, MAX_DEPTH } from "./decode.ts";

const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);

function textOf(text: string | Uint8Array): string {
  return typeof text === "string" ? text : Buffer.from(text).toString("utf8");
}

describe("what is stored", () => {
  test("a harmless record is stored as its own bytes, with nothing beside it", () => {
    const data = bytes('{"title":"Ö 😀 \\ud83d\\ude00 \\u0000"}');
    const decoded = decode(data);
    expect(decoded.stored).toEqual({ text: data, rawBytes: null });
  });

  test.each([
    ["a byte order mark is dropped", Buffer.from('\uFEFF{"a":1}'), '{"a":1}'],
    ["a lone high surrogate becomes U+FFFD", bytes('{"a":"\\ud800x"}'), '{"a":"\\ufffdx"}'],
    ["swapped surrogates become two U+FFFD", bytes('{"a":"\\udc00\\uD800"}'), '{"a":"\\ufffd\\ufffd"}'],
    ["a lone surrogate in a key becomes U+FFFD", bytes('{"\\uDFff":1}'), '{"\\ufffd":1}'],
    [
      "a surrogate before a pair is the only one replaced",
      bytes('{"a":"\\ud800\\ud83d\\ude00"}'),
      '{"a":"\\ufffd\\ud83d\\ude00"}',
    ],
    [
      "invalid UTF-8 becomes U+FFFD",
      Buffer.from([0x7b, 0x22, 0x61, 0xff, 0x22, 0x3a, 0x31, 0x7d]),
      '{"a\uFFFD":1}',
    ],
  ])("%s and the original bytes stand beside it", (_title, data, text) => {
    const decoded = decode(data);
    expect(textOf(decoded.stored.text)).toBe(text);
    expect(decoded.stored.rawBytes).toBe(data);
    expect(decoded.readable).toBe(true);
  });

  test("an escaped backslash before ud800 is not an escape and stays", () => {
    const decoded = decode(bytes(String.raw`{"a":"\\ud800"}`));
    expect(decoded.stored.rawBytes).toBeNull();
    expect(decoded.readable && decoded.value["a"]).toBe(String.raw`\ud800`);
  });

  test("DuckDB's JSON functions read every stored text of a readable record", async () => {
    const instance = await DuckDBInstance.create(":memory:");
    const connection = await instance.connect();
    try {
      const hostile = [
        '{"a":"\\ud800"}',
        '{"a":"\\udfff\\u0000"}',
        '{"a":1e999}',
        '{"a":1,"a":2}',
        '{"__proto__":{"a":1}}',
        '{"\\ud800":{}}',
        '\uFEFF{"a":-0}',
        `{"a":${"[".repeat(90)}${"]".repeat(90)}}`,
      ];
      for (const text of hostile) {
        const decoded = decode(bytes(text));
        expect(decoded.readable).toBe(true);
        const result = await connection.runAndReadAll("SELECT json_valid($1), json_structure($1)", [
          textOf(decoded.stored.text),
        ]);
        expect(result.getRows()[0]?.[0]).toBe(true);
      }
    } finally {
      connection.closeSync();
      instance.closeSync();
    }
  });
});

describe("what is read", () => {
  test("an escaped NUL reads as U+2400 while the stored text keeps the escape", () => {
    const decoded = decode(bytes('{"title":"a\\u0000b"}'));
    expect(decoded.readable && decoded.value["title"]).toBe("a\u2400b");
    expect(textOf(decoded.stored.text)).toBe('{"title":"a\\u0000b"}');
  });

  test("the last of repeated keys wins and prototype keys touch nothing", () => {
    const decoded = decode(bytes('{"a":1,"a":2,"__proto__":{"polluted":true},"constructor":3}'));
    expect(decoded.readable && decoded.value["a"]).toBe(2);
    expect(Reflect.get({}, "polluted")).toBeUndefined();
    expect(decoded.readable && decoded.value["polluted"]).toBeUndefined();
  });

  test.each([
    ["not-json", '{"a":'],
    ["not-json", ""],
    ["not-json", '{"a":"\u0000"}'],
    ["not-an-object", "[1]"],
    ["not-an-object", '"text"'],
    ["not-an-object", "null"],
    ["nested-too-deep", `{"a":${"[".repeat(MAX_DEPTH)}${"]".repeat(MAX_DEPTH)}}`],
    ["nested-too-deep", `${'{"a":'.repeat(200_000)}1${"}".repeat(200_000)}`],
  ])("%s is a value, not an exception", (failure, text) => {
    const decoded = decode(bytes(text));
    expect(decoded).toMatchObject({ readable: false, failure });
  });

  test("text with a raw NUL is stored with U+2400 and its bytes beside it", () => {
    const data = bytes("a\0b");
    expect(decode(data).stored).toEqual({ text: "a\u2400b", rawBytes: data });
  });

  test("a record of 25 MB is read", () => {
    const decoded = decode(bytes(`{"a":"${"x".repeat(25_000_000)}"}`));
    expect(decoded.readable).toBe(true);
  });
});
