import { expect, test } from "vitest";
import { judgeLink } from "./link-policy.ts";

test.each([
  "https://en.wikipedia.org/wiki/A/2020",
  "https://en.wikipedia.org/wiki/.07%25",
  "https://en.wikipedia.org/wiki/C%2B%2B",
  "https://en.wikipedia.org/wiki/Who%3F",
  "https://en.wikipedia.org/wiki/X_%26_Y_%231",
  "https://en.wikipedia.org/wiki/User_talk:A_B",
  "https://www.wikidata.org/w/index.php?diff=1&oldid=2",
])("C13: opens %s unchanged", (url) => {
  expect(judgeLink(url)).toEqual({ open: true, url });
});

test.each([
  "javascript:alert(1)",
  "file:///etc/passwd",
  "data:text/html,<script>alert(1)</script>",
  "http://en.wikipedia.org/wiki/A",
  "https://evil.example/wiki/A",
  "https://wikipedia.org.evil.example/",
  "https://evilwikipedia.org/",
  "https://en.wikipedia.org@evil.example/",
  "https://user:password@en.wikipedia.org/",
  "https://en.wikipedia.org:8443/",
  "/wiki/A",
  "",
])("C13: leaves %s as text, with a reason", (url) => {
  const verdict = judgeLink(url);
  expect(verdict.open).toBe(false);
  expect(verdict).toHaveProperty("reason", expect.stringMatching(/\w/));
});
