import { expect, test } from "vitest";
import { judgeLink } from "#main/bridge/link-policy.ts";
import { parseJsonText } from "#renderer/components/json-tree/parse-json-text.ts";
import { isWebLink, recordLinks } from "./record-links.ts";

function linksOf(record: object) {
  return recordLinks(parseJsonText(JSON.stringify(record)));
}

/** Titles of field case C13 and the address that a wiki gives them. */
const TITLES = [
  ["A/2020", "A/2020"],
  [".07%", ".07%25"],
  ["C++", "C%2B%2B"],
  ["Who?", "Who%3F"],
  ["X & Y #1", "X_%26_Y_%231"],
  ["User talk:A B", "User_talk:A_B"],
] as const;

test.each(TITLES)(
  "C13: the link of %s is its meta.uri as delivered, and main opens exactly that",
  (title, path) => {
    const uri = `https://en.wikipedia.org/wiki/${path}`;
    const { page } = linksOf({ title, meta: { uri }, server_url: "https://de.wikipedia.org" });
    expect(page).toBe(uri);
    expect(judgeLink(page ?? "")).toEqual({ open: true, url: uri });
  },
);

test.each(TITLES)(
  "C13: without a meta.uri the link of %s is made from its title, encoded as the wiki does",
  (title, path) => {
    const { page } = linksOf({ title, meta: {}, server_url: "https://en.wikipedia.org" });
    expect(page).toBe(`https://en.wikipedia.org/wiki/${path}`);
    expect(judgeLink(page ?? "")).toEqual({ open: true, url: page });
  },
);

test.each([
  "javascript:alert(1)",
  "JAVASCRIPT:alert(1)",
  " https://en.wikipedia.org/wiki/A",
  "http://en.wikipedia.org/wiki/A",
  "data:text/html,x",
  "https://",
  "wiki/A",
  "",
])("C13: %j stays text", (address) => {
  expect(isWebLink(address)).toBe(false);
  expect(linksOf({ meta: { uri: address } }).page).toBe(address);
});

test("the difference is the record's own revision; one that is no number makes no link", () => {
  const server_url = "https://en.wikipedia.org";
  expect(linksOf({ revision: { new: 5_000_000_000 }, server_url }).diff).toBe(
    "https://en.wikipedia.org/w/index.php?diff=5000000000",
  );
  expect(linksOf({ revision: { new: "1&action=delete" }, server_url }).diff).toBeNull();
  expect(linksOf({ notify_url: "javascript:alert(1)", server_url }).diff).toBe("javascript:alert(1)");
});

test("a record without server or title gives no link, and half a surrogate pair breaks none", () => {
  expect(recordLinks(null)).toEqual({ page: null, diff: null });
  expect(linksOf({ title: "A" }).page).toBeNull();
  expect(linksOf({ title: "A\ud800", server_url: "https://en.wikipedia.org" }).page).toBe(
    "https://en.wikipedia.org/wiki/A%EF%BF%BD",
  );
});
