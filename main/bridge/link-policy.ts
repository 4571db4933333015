/**
 * Where a link inside a record may lead. The text of a feed is hostile: a record may carry any address, so only https to
 * the hosts that the source itself speaks of is handed to the system browser (field case C13).
 */

/** Registrable names of the Wikimedia projects; their subdomains are included. */
const WIKIMEDIA_HOSTS = [
  "mediawiki.org",
  "wikibooks.org",
  "wikidata.org",
  "wikifunctions.org",
  "wikimedia.org",
  "wikimediafoundation.org",
  "wikinews.org",
  "wikipedia.org",
  "wikiquote.org",
  "wikisource.org",
  "wikiversity.org",
  "wikivoyage.org",
  "wiktionary.org",
] as const;

/** Verdict on a link: the address to open, normalised, or why not, for a person. */
export type LinkVerdict =
  | { readonly open: true; readonly url: string }
  | { readonly open: false; readonly reason: string };

function isSourceHost(hostname: string): boolean {
  return WIKIMEDIA_HOSTS.some((host) => hostname === host || hostname.endsWith(`.${host}`));
}

/** Decides whether `text` may be opened outside the app. Never throws. */
export function judgeLink(text: string): LinkVerdict {
  // Not URL.parse: Electron 33 (the runtime of the tests) has Node 20.
  if (!URL.canParse(text)) return { open: false, reason: "not an address" };
  const url = new URL(text);
  if (url.protocol !== "https:") return { open: false, reason: `only https is opened, not ${url.protocol}` };
  if (url.username !== "" || url.password !== "") {
    return { open: false, reason: "an address with a user name in it is not opened" };
  }
  if (url.port !== "") return { open: false, reason: "an address with a port of its own is not opened" };
  if (!isSourceHost(url.hostname)) {
    return { open: false, reason: `${url.hostname} is not a host of this source` };
  }
  return { open: true, url: url.href };
}
