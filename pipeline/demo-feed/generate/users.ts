import { mix, Random } from "./random.ts";
import type { Wiki } from "./wikis.ts";

/** Who made a change; `name` is undefined where it was suppressed. */
export type User = { readonly name: string | undefined; readonly isBot: boolean };

/** Users of a wiki: a long tail, so that a few are busy. */
const USERS = 30_000;
const BOTS = 25;
const BOT_NAMES = [
  "Tidy",
  "Link",
  "Archive",
  "Cat",
  "Date",
  "Ref",
  "Import",
  "Label",
  "Cite",
  "Move",
] as const;

/** A user of `wiki`. Shares: 30 % bots, 8 % temporary accounts, 1 % addresses, 0.4 % suppressed. */
export function pickUser(random: Random, wiki: Wiki): User {
  const share = random.share();
  if (share < 0.3) return botAt(wiki, random.tail(BOTS));
  if (share < 0.38) return { name: temporaryName(random), isBot: false };
  if (share < 0.39) return { name: addressName(random), isBot: false };
  return share < 0.394 ? { name: undefined, isBot: false } : userAt(wiki, random.tail(USERS));
}

/** Named user number `index` of `wiki`: always the same name. */
export function userAt(wiki: Wiki, index: number): User {
  const own = new Random(mix(wiki.index + 500, index, 3));
  const { words } = wiki.language;
  const word = own.pick(["Avis", ...words]);
  const second = own.chance(0.5) ? own.pick(["Ada", ...words]) : "";
  const separator = own.pick([" ", "-", "", "."]);
  const emoji = own.chance(0.01) ? " 🦉" : "";
  return {
    name: `${upperFirst(word)}${second === "" ? "" : separator + second}${index % 7 === 0 ? "" : index}${emoji}`,
    isBot: false,
  };
}

function botAt(wiki: Wiki, index: number): User {
  const own = new Random(mix(wiki.index + 900, index, 5));
  return { name: `${own.pick(BOT_NAMES)}${index}Bot`, isBot: true };
}

/** `~`, four digits, hyphen, more (MediaWiki's temporary accounts). */
function temporaryName(random: Random): string {
  const serial = 10_000 + random.whole(89_999);
  return `~2026-${serial}${random.chance(0.8) ? `-${10 + random.whole(89)}` : ""}`;
}

/** Addresses from the blocks that are reserved for documentation (RFC 5737, RFC 3849). */
function addressName(random: Random): string {
  if (random.chance(0.5)) return `203.0.113.${random.whole(256)}`;
  return `2001:DB8:${random.hex(4).toUpperCase()}:0:0:0:0:${random.hex(3).toUpperCase()}`;
}

function upperFirst(text: string): string {
  const letter = String.fromCodePoint(text.codePointAt(0) ?? 65);
  return letter.toUpperCase() + text.slice(letter.length);
}
