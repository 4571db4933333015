import type { IncomingMessage } from "node:http";
import type { FeedPlan } from "../generate/feed-plan.ts";
import { type Assignment, parseLastEventId, resumeAt, sinceAt, startAt } from "./assignment.ts";
import type { BodyStyle } from "./connection.ts";
import type { Producer } from "./producer.ts";
import { kafkaSseError, problem, type Refusal } from "./refusals.ts";

/** What a request for a stream comes to. */
export type StreamRequest =
  | {
      readonly ok: true;
      readonly assignment: Assignment;
      readonly isResumed: boolean;
      readonly style: BodyStyle;
      readonly contentType: string;
    }
  | { readonly ok: false; readonly refusal: Refusal };

const STREAM_PATH = "/v2/stream/";
const STREAM_NAMES: ReadonlySet<string> = new Set(["recentchange", "mediawiki.recentchange"]);

/** True where the path is one of a stream, known or not. */
export function isStreamPath(path: string): boolean {
  return path.startsWith(STREAM_PATH);
}

/** Where a client without a position begins: everything for who comes first, the live end for who comes later. */
export type NewClients = "live-end" | "everything";

/** Reads path, query and headers. A Last-Event-ID replaces `since` whole. */
export function readStreamRequest(
  request: IncomingMessage,
  url: URL,
  plan: FeedPlan,
  producer: Producer,
  newClients: NewClients,
): StreamRequest {
  const method = request.method ?? "GET";
  const names = decodeURIComponent(url.pathname.slice(STREAM_PATH.length)).split(",");
  const unknown = names.filter((name) => !STREAM_NAMES.has(name));
  if (unknown.length > 0) {
    const detail = `${unknown.join(", ")} are not valid stream names`;
    const facts = { status: 400, type: "not_found", title: "Not found.", detail };
    return { ok: false, refusal: problem(facts, method, url.pathname) };
  }
  const end = producer.liveEnd();
  const header = request.headers["last-event-id"];
  if (typeof header === "string" && header !== "") {
    const resume = parseLastEventId(header);
    if (!resume.ok) return { ok: false, refusal: kafkaSseError(resume.status, resume.message) };
    return accepted(request, resumeAt(plan, resume.items, end), true);
  }
  const since = url.searchParams.get("since");
  if (since !== null) return readSince(request, url, plan, since, end);
  return accepted(request, startAt(plan, newClients === "everything" ? 0 : end), false);
}

function readSince(
  request: IncomingMessage,
  url: URL,
  plan: FeedPlan,
  since: string,
  end: number,
): StreamRequest {
  const timestampMs = /^\d+$/.test(since) ? Number(since) : Date.parse(since);
  if (Number.isFinite(timestampMs)) return accepted(request, sinceAt(plan, timestampMs, end), true);
  const detail = `since=${since} is neither milliseconds since 1970 nor a date`;
  const facts = { status: 400, type: "invalid_timestamp", title: "Invalid timestamp", detail };
  return { ok: false, refusal: problem(facts, request.method ?? "GET", url.pathname) };
}

function accepted(request: IncomingMessage, assignment: Assignment, isResumed: boolean): StreamRequest {
  const { accept } = request.headers;
  if (accept?.startsWith("application/json") === true) {
    return {
      ok: true,
      assignment,
      isResumed,
      style: "ndjson",
      contentType: "application/json; charset=utf-8",
    };
  }
  // Without any Accept header the real service leaves the charset away.
  const contentType = accept === undefined ? "text/event-stream" : "text/event-stream; charset=utf-8";
  return { ok: true, assignment, isResumed, style: "sse", contentType };
}
