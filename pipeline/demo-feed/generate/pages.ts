import { mix, Random } from "./random.ts";
import type { Wiki } from "./wikis.ts";

/** A page as events name it. */
export type Page = {
  readonly namespace: number;
  /** Full title with prefix and spaces. */
  readonly title: string;
  /** The title as MediaWiki writes it into addresses. */
  readonly path: string;
};

/** Pages of a wiki and namespace: a long tail, so that a few are hot. */
const PAGES = 200_000;

/** A page of `wiki`, mostly one of the hot ones. */
export function pickPage(random: Random, wiki: Wiki): Page {
  return pageAt(wiki, pickNamespace(random, wiki), random.tail(PAGES));
}

/** Page number `index` of a namespace: always the same title. */
export function pageAt(wiki: Wiki, namespace: number, index: number): Page {
  const own = new Random(mix(wiki.index + 1, index, namespace + 10));
  const title = prefixOf(wiki, namespace) + bareTitle(own, wiki, namespace, index);
  return { namespace, title, path: pathOf(title) };
}

/** A category of `wiki`. */
export function pickCategory(random: Random, wiki: Wiki): Page {
  return pageAt(wiki, 14, random.tail(5000));
}

/** MediaWiki's wfUrlencode: spaces become underscores, these characters stay as they are. */
export function pathOf(title: string): string {
  const encoded = encodeURIComponent(title.replaceAll(" ", "_"));
  return encoded.includes("%") ? encoded.replaceAll(/%(?:3A|2F|2C|40|24|3B)/g, decodeURIComponent) : encoded;
}

function pickNamespace(random: Random, wiki: Wiki): number {
  const share = random.share();
  if (wiki.style === "files" && share < 0.6) return 6;
  if (share < 0.72) return 0;
  if (share < 0.8) return 1;
  if (share < 0.87) return 3;
  if (share < 0.91) return 4;
  if (share < 0.95) return 10;
  if (share < 0.98) return 2;
  return share < 0.99 ? 14 : 2600;
}

function prefixOf(wiki: Wiki, namespace: number): string {
  const name = namespaceName(wiki, namespace);
  return name === "" ? "" : `${name}:`;
}

function namespaceName({ language, project }: Wiki, namespace: number): string {
  switch (namespace) {
    case -1:
      return "Special";
    case 1:
      return language.talk;
    case 2:
      return language.user;
    case 3:
      return language.userTalk;
    case 4:
      return project;
    case 6:
      return language.file;
    case 10:
      return language.template;
    case 14:
      return language.category;
    case 2600:
      return "Topic";
    default:
      return "";
  }
}

/** Titles that have broken clients: slash, percent, plus, question mark, ampersand, quotes, dots. */
const ODD_ENDINGS = [
  "/2026",
  " .07%",
  " C++",
  " – wer?",
  " X & Y #1",
  ' "quoted"',
  "'s",
  "…",
  " (A/B)",
  " 100%",
] as const;

function bareTitle(own: Random, wiki: Wiki, namespace: number, index: number): string {
  if (wiki.style === "items" && namespace === 0) return `Q${(own.bits() % 130_000_000) + 1}`;
  if (namespace === 2600) return own.hex(16);
  const { words: known } = wiki.language;
  const count = 1 + own.whole(4);
  const words: string[] = [];
  for (let i = 0; i < count; i += 1) words.push(known[own.whole(known.length)] ?? "");
  const text = capitalised(words.join(" "));
  if (namespace === 6) return `${text} ${index}.${own.pick(["jpg", "JPG", "png", "svg", "webm", "pdf"])}`;
  return own.chance(0.06)
    ? text + own.pick(ODD_ENDINGS)
    : `${text}${index > 40 && own.chance(0.5) ? ` (${index})` : ""}`;
}

function capitalised(text: string): string {
  const first = text.codePointAt(0);
  if (first === undefined) return text;
  const letter = String.fromCodePoint(first);
  return letter.toUpperCase() + text.slice(letter.length);
}
