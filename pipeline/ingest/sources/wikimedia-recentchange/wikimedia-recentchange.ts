import type { ResumeAsk, SourceRequest, StreamSource } from "../../source-contract.ts";
import { mergePosition, newestTimeOf, parsePosition, resumeId } from "./cursor.ts";

/** Read back behind the newest known time when only `since` can be used: the measured lateness reaches 109 s. */
const SINCE_MARGIN_MS = 120_000;
/** Wikimedia refuses requests without a User-Agent that names the program and a contact. */
const PRODUCT = "Highwater/0.1";
const NO_CONTACT = "no contact set";

/**
 * Wikimedia EventStreams, and every server that speaks its protocol (the demo feed does).
 * Facts: ids per topic with timestamps + 1 ms, `Last-Event-ID` replaces URL and `since`, both data centres in one stream.
 */
export const wikimediaRecentchange: StreamSource = {
  name: "wikimedia-recentchange",
  framing: "sse",
  serves: (spec) => spec.kind === "sse",
  gapIdentity: { topic: ["meta", "topic"], partition: ["meta", "partition"], offset: ["meta", "offset"] },
  positionAfter: mergePosition,
  newestTimeMs: (position) => newestTimeOf(parsePosition(position)),
  request: (spec, ask) => {
    const headers = baseHeaders(ask);
    const position = parsePosition(ask.position);
    if (position === null) return { url: spec.url, headers, resumedBy: "nothing", sinceMs: null };
    const id = ask.by === "cursor" ? resumeId(position, spec.stream, ask.rewindMs, ask.asks) : null;
    if (id === null)
      return requestSince(spec.url, headers, newestTimeOf(position) ?? position.seenMs, ask.rewindMs);
    return {
      url: spec.url,
      headers: { ...headers, "last-event-id": id.header },
      resumedBy: "cursor",
      sinceMs: id.sinceMs,
    };
  },
};

function requestSince(
  url: string,
  headers: Readonly<Record<string, string>>,
  newestMs: number,
  rewindMs: number,
): SourceRequest {
  const sinceMs = Math.max(0, newestMs - rewindMs - SINCE_MARGIN_MS);
  const target = new URL(url);
  target.searchParams.set("since", new Date(sinceMs).toISOString());
  return { url: target.href, headers, resumedBy: "since", sinceMs };
}

function baseHeaders(ask: ResumeAsk): Readonly<Record<string, string>> {
  // Header values are Latin-1 on the wire; anything else in the setting would make fetch throw.
  const contact = ask.contact.replaceAll(/[^\x20-\x7e]/g, "").trim();
  return {
    accept: "text/event-stream",
    // The service does not compress; a proxy that does must say so, and is then decoded or refused by name.
    "accept-encoding": "identity",
    "cache-control": "no-cache",
    "user-agent": `${PRODUCT} (${contact === "" ? NO_CONTACT : contact}) node/${process.versions.node}`,
  };
}
