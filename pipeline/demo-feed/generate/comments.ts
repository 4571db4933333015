import type { Page } from "./pages.ts";
import type { Random } from "./random.ts";
import type { Wiki } from "./wikis.ts";

/** An edit summary and MediaWiki's HTML of it. */
export type Comment = { readonly comment: string; readonly parsedcomment: string };

/** MediaWiki cuts summaries at 500 code points. */
const MAX_CODE_POINTS = 500;
const LRM = "\u200e";
const RLM = "\u200f";

/** Text as MediaWiki escapes it for HTML. */
export function escapeHtml(text: string): string {
  if (!/[&<>"']/.test(text)) return text;
  return text
    .replaceAll("&", "&amp;")
    .replaceAll("<", "&lt;")
    .replaceAll(">", "&gt;")
    .replaceAll('"', "&quot;")
    .replaceAll("'", "&#039;");
}

/** Things that people do write into summaries and that have broken readers. */
const ODD_TEXTS = [
  "<b>bold</b> & <script>alert(1)</script>",
  "first line\nsecond line",
  "🎉🦉 👩🏽‍🔬 done",
  '"quotes" and \\backslashes\\',
  "tab\there, no-break\u00a0space, zero\u200bwidth",
  "\u202bmirrored\u202c",
  "=1+1",
  "100 % {{template|x=1}} [[broken link",
  "e\u0301 decomposed, ﬁ ligature, ｆｕｌｌ width",
] as const;

/** A summary of an edit to `page`. */
export function editComment(random: Random, wiki: Wiki, page: Page): Comment {
  const share = random.share();
  if (share < 0.12) return { comment: "", parsedcomment: "" };
  if (share < 0.17) return plain(random.pick(ODD_TEXTS));
  if (wiki.style === "items" && share < 0.7) return itemComment(random);
  if (share < 0.5) return sectionComment(random, wiki, page);
  if (share < 0.8) return linkComment(random, wiki, page);
  return plain(words(random, wiki, share > 0.985 ? 160 : 3 + random.whole(14)));
}

/** The local text of a categorize event: the page is only named here. */
export function categorizeComment(wiki: Wiki, member: Page): Comment {
  const tail = wiki.language.addedToCategory;
  const mark = wiki.language.isRightToLeft ? RLM : "";
  return {
    comment: `[[:${member.title}]]${mark} ${tail}`,
    parsedcomment: `${link(member.path, member.title)}${mark} ${tail}`,
  };
}

/** Running words in the wiki's language, at most 500 code points. */
export function words(random: Random, wiki: Wiki, count: number): string {
  const { words: known } = wiki.language;
  let text = "";
  for (let i = 0; i < count; i += 1)
    text += `${i === 0 ? "" : " "}${known[random.whole(known.length)] ?? ""}`;
  return text.length <= MAX_CODE_POINTS ? text : Array.from(text).slice(0, MAX_CODE_POINTS).join("");
}

function plain(text: string): Comment {
  return { comment: text, parsedcomment: escapeHtml(text) };
}

function link(path: string, title: string): string {
  const safe = escapeHtml(title);
  return `<a href="/wiki/${path}" title="${safe}">${safe}</a>`;
}

function sectionComment(random: Random, wiki: Wiki, page: Page): Comment {
  const section = words(random, wiki, 1 + random.whole(3));
  const rest = words(random, wiki, random.whole(12));
  const direction = wiki.language.isRightToLeft ? "rtl" : "ltr";
  const anchor = section.replaceAll(" ", "_");
  const head = `<a href="/wiki/${page.path}#${anchor}">→${LRM}<bdi dir="${direction}">${section}</bdi></a>`;
  return {
    comment: `/* ${section} */ ${rest}`,
    parsedcomment: `<span class="autocomment">${head}: </span> ${rest}`,
  };
}

function linkComment(random: Random, wiki: Wiki, page: Page): Comment {
  const before = words(random, wiki, 1 + random.whole(6));
  const after = words(random, wiki, random.whole(16));
  return {
    comment: `${before} [[${page.title}]] ${after}`,
    parsedcomment: `${before} ${link(page.path, page.title)} ${after}`,
  };
}

function itemComment(random: Random): Comment {
  const property = 1 + random.whole(12_000);
  const value = 1 + random.whole(120_000_000);
  const property_ = `[[Property:P${property}]]: [[Q${value}]]`;
  return {
    comment: `/* wbsetclaim-create:2||1 */ ${property_}`,
    parsedcomment:
      `${LRM}<span dir="auto"><span class="autocomment">Created claim: </span></span> ` +
      `<a href="/wiki/Property:P${property}" title="Property:P${property}">Property:P${property}</a>: ` +
      `<a href="/wiki/Q${value}" title="Q${value}">Q${value}</a>`,
  };
}
