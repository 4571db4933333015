import { readdirSync } from "node:fs";
import { expect, test } from "vitest";
import { SOURCES, sourceFor } from "./registry.ts";

test("every folder beside the registry is a source of that name, and every source has its folder", () => {
  const folders = readdirSync(import.meta.dirname, { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map(({ name }) => name);
  expect(SOURCES.map(({ name }) => name).toSorted()).toEqual(folders.toSorted());
});

test("an address and a file are each served by one source", () => {
  expect(sourceFor({ kind: "sse", source: "a", url: "http://x.test/", stream: "recentchange" }).framing).toBe(
    "sse",
  );
  expect(sourceFor({ kind: "file", source: "a", path: "/x" }).framing).toBe("file");
});
