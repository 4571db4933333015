import type { Objection, Rule } from "../rule.ts";

/**
 * Families whose database names follow the domain. Left out on purpose: wikimedia.org (chapters, commons, meta: no
 * pattern) and wikisource.org without a language (its database is sourceswiki).
 */
const FAMILIES: readonly (readonly [string, string])[] = [
  [".wikipedia.org", "wiki"],
  [".wiktionary.org", "wiktionary"],
  [".wikibooks.org", "wikibooks"],
  [".wikinews.org", "wikinews"],
  [".wikiquote.org", "wikiquote"],
  [".wikiversity.org", "wikiversity"],
  [".wikivoyage.org", "wikivoyage"],
];

/** Only plain two-letter codes are compared: longer ones have old names (be-tarask is be_x_oldwiki, lzh is zh_classicalwiki). */
const TWO_LETTERS = /^[a-z]{2}$/;

/** no.wikipedia.org is Bokmål's old code; either may name it. */
const SAME_LANGUAGE = new Set(["nb/no", "no/nb"]);

/** `meta.domain`, `server_name` and `wiki` speak of one site; a mixture means that an event was put together wrongly. */
export const wikiDomain = {
  id: "wiki-domain",
  canBeDisabled: true,
  reasonCodes: ["domain-server-mismatch", "wiki-family-mismatch", "wiki-language-mismatch"],
  check: ({ event }) => {
    const domain = event.meta.domain ?? "";
    const server = event.server_name ?? "";
    if (
      domain !== server &&
      domain !== "" &&
      server !== "" &&
      domain.toLowerCase() !== server.toLowerCase()
    ) {
      return { reasonCode: "domain-server-mismatch", looked: { domain, server_name: server } };
    }
    return objectionToName(event.wiki ?? "", domain === "" ? server : domain);
  },
} as const satisfies Rule;

function objectionToName(wiki: string, site: string): Objection | null {
  const family = FAMILIES.find(([suffix]) => site.endsWith(suffix));
  if (family === undefined) return null;
  const [suffix, ending] = family;
  if (!wiki.endsWith(ending)) return { reasonCode: "wiki-family-mismatch", looked: { wiki, site } };
  const siteCode = site.slice(0, -suffix.length);
  const wikiCode = wiki.slice(0, -ending.length);
  if (siteCode === wikiCode || !TWO_LETTERS.test(siteCode) || !TWO_LETTERS.test(wikiCode)) return null;
  if (SAME_LANGUAGE.has(`${siteCode}/${wikiCode}`)) return null;
  return { reasonCode: "wiki-language-mismatch", looked: { wiki, site } };
}
