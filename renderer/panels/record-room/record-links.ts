import { literalAt, stringAt, type JsonNode } from "#renderer/components/json-tree/parse-json-text.ts";

/** Addresses that a record gives; null where it gives none. They are text of a feed: see {@link isWebLink}. */
export type RecordLinks = { readonly page: string | null; readonly diff: string | null };

/**
 * The page as delivered (`meta.uri`), else made from server and title, and the difference where the record is an edit (field
 * case C13). Main judges each again before it is opened.
 */
export function recordLinks(json: JsonNode | null): RecordLinks {
  const server = stringAt(json, "server_url");
  return { page: stringAt(json, "meta", "uri") ?? pageOf(json, server), diff: diffOf(json, server) };
}

/** True for an address that may be shown as a link: anything but https stays text. */
export function isWebLink(address: string): boolean {
  return address.startsWith("https://") && URL.canParse(address);
}

function pageOf(json: JsonNode | null, server: string | null): string | null {
  const title = stringAt(json, "title");
  return server === null || title === null || title === "" ? null : `${server}/wiki/${encodeTitle(title)}`;
}

/** A title in an address as MediaWiki writes it: spaces are underscores; slash, colon and a few others stay readable. */
function encodeTitle(title: string): string {
  const encoded = encodeURIComponent(title.toWellFormed().replaceAll(" ", "_"));
  return encoded.replaceAll(/%(?:2F|3A|3B|40|24|2C)/gu, decodeURIComponent);
}

function diffOf(json: JsonNode | null, server: string | null): string | null {
  const given = stringAt(json, "notify_url");
  if (given !== null) return given;
  const revision = literalAt(json, "revision", "new");
  if (revision === null || server === null || !/^\d+$/u.test(revision)) return null;
  return `${server}${stringAt(json, "server_script_path") ?? "/w"}/index.php?diff=${revision}`;
}
