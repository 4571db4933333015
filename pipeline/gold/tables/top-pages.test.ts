import fc from "fast-check";
import { expect, test } from "vitest";
import type { GoldInput } from "../gold-table.ts";
import { topPages } from "./top-pages.ts";

const SEED = Number(process.env["HIGHWATER_SEED"] ?? Date.now() % 2 ** 31);

function edit(wiki: string, title: string): GoldInput {
  return {
    logOffset: 1,
    eventTimeUs: 0,
    watermarkUs: null,
    latenessMs: 0,
    type: "edit",
    wiki,
    title,
    user: null,
    bot: false,
    bytesChanged: null,
    amends: false,
  };
}

const page = fc.record({
  wiki: fc.constantFrom("a", "b"),
  // Above U+FFFF, UTF-16 order and code-point order part: U+1F30A sorts behind U+FFFD.
  title: fc.oneof(
    fc.integer({ min: 0, max: 45 }).map(String),
    fc.constantFrom("\u{1F30A}", "\uFFFD", "\uFFFD\u{1F30A}"),
  ),
});

test(`the list kept while folding is the list that sorting everything gives (seed ${SEED})`, () => {
  fc.assert(
    fc.property(fc.array(page, { maxLength: 400, size: "max" }), fc.nat({ max: 400 }), (edits, lookAfter) => {
      const window = topPages.openWindow();
      const shown = new Map<unknown, readonly unknown[]>();
      const counts = new Map<string, number>();
      edits.forEach(({ wiki, title }, index) => {
        window.fold(edit(wiki, title));
        counts.set(`${wiki}\n${title}`, (counts.get(`${wiki}\n${title}`) ?? 0) + 1);
        if (index === lookAfter) for (const row of window.rows("changed")) shown.set(row[0], row);
      });
      for (const row of window.rows("changed")) shown.set(row[0], row);
      const sorted = [...counts].sort(([left, most], [right, least]) =>
        most === least ? Buffer.compare(Buffer.from(left), Buffer.from(right)) : least - most,
      );
      const expected = sorted
        .slice(0, 50)
        .map(([key, count], index) => [index + 1, ...key.split("\n"), count]);
      expect([...shown.values()].sort((left, right) => Number(left[0]) - Number(right[0]))).toEqual(expected);
      expect(window.rows("changed")).toEqual([]);
    }),
    { seed: SEED, numRuns: 200 },
  );
});
