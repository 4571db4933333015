import { describe, expect, test } from "vitest";
import { literalAt, parseJsonText, stringAt, type JsonNode } from "./parse-json-text.ts";

function toValue(node: JsonNode | null): unknown {
  if (node === null) return undefined;
  if (node.kind === "object") {
    return Object.fromEntries(node.entries.map(({ key, value }) => [key, toValue(value)]));
  }
  if (node.kind === "array") return node.items.map(toValue);
  return node.kind === "string" ? node.value : JSON.parse(node.text);
}

describe("JSON text for the eye", () => {
  test.each([
    '{"a":[1,-2.5e3,true,false,null,"x\\n\\u00e9\\"y"],"b":{},"c":[],"":{"d":" [}] "}}',
    ' [ { "a" : 1 } , 2 ] ',
    '"text"',
    "0",
  ])("reads %s as JSON.parse does", (text) => {
    expect(toValue(parseJsonText(text))).toEqual(JSON.parse(text));
  });

  test("keeps every digit of a number and both of two equal keys", () => {
    expect(parseJsonText('{"id":12345678901234567890,"id":1}')).toEqual({
      kind: "object",
      entries: [
        { key: "id", value: { kind: "literal", text: "12345678901234567890" } },
        { key: "id", value: { kind: "literal", text: "1" } },
      ],
    });
  });

  test.each(["", "{", '{"a"', '{"a":}', "[1,]", '"open', "[1] 2", "<html>", "{'a':1}"])(
    "says that %s is no JSON",
    (text) => {
      expect(parseJsonText(text)).toBeNull();
    },
  );

  test("shows hostile nesting as text instead of ending the call stack", () => {
    const text = `${"[".repeat(100_000)}"]"${"]".repeat(100_000)}`;
    expect(parseJsonText(text)?.kind).toBe("array");
    expect(parseJsonText("[".repeat(100_000))).toBeNull();
  });

  test("finds values by path and never takes them from a prototype", () => {
    const node = parseJsonText('{"meta":{"uri":"https://en.wikipedia.org/"},"revision":{"new":42}}');
    expect(stringAt(node, "meta", "uri")).toBe("https://en.wikipedia.org/");
    expect(literalAt(node, "revision", "new")).toBe("42");
    expect(stringAt(node, "constructor", "name")).toBeNull();
  });
});
