import type { SourceRequest } from "../source-contract.ts";
import { parseRetryAfter, type ConnectionEnd } from "../connection/connection-end.ts";

/** Redirects within the same host that are followed; more is a loop. */
const MAX_REDIRECTS = 5;
/** Codings that Node's fetch undoes chunk by chunk. Any other would reach the parser as noise, so it is refused by name. */
const DECODED = new Set(["identity", "gzip", "x-gzip", "deflate", "br"]);
const TLS_ERROR =
  /^(CERT_|ERR_TLS_|ERR_SSL_|SELF_SIGNED|DEPTH_ZERO|UNABLE_TO_(VERIFY|GET_ISSUER)|HOSTNAME_MISMATCH)/;

/** An open text/event-stream, or why there is none. */
export type HttpStream =
  | { readonly reader: ReadableStreamDefaultReader<Uint8Array>; readonly serverOffsetMs: number | null }
  | { readonly end: ConnectionEnd };

/** What opening needs besides the request. */
export type OpenOptions = {
  readonly connectTimeoutMs: number;
  /** Ends the request or the body, whichever is going on. */
  readonly signal: AbortController;
  readonly nowMs: () => number;
};

/**
 * Sends the request and checks the answer: status 200, text/event-stream, a coding that is undone, the same host.
 * The content of any other answer is never read. Never rejects: each failure is a {@link ConnectionEnd}.
 */
export async function openHttpStream(request: SourceRequest, options: OpenOptions): Promise<HttpStream> {
  let isTooSlow = false;
  const timer = setTimeout(() => {
    isTooSlow = true;
    options.signal.abort();
  }, options.connectTimeoutMs);
  try {
    return await follow(request, options);
  } catch (error) {
    if (isTooSlow) return { end: { end: "connect-timeout", limitMs: options.connectTimeoutMs } };
    if (options.signal.signal.aborted) return { end: { end: "aborted" } };
    return { end: unreachable(error) };
  } finally {
    clearTimeout(timer);
  }
}

async function follow(request: SourceRequest, options: OpenOptions): Promise<HttpStream> {
  let url = new URL(request.url);
  for (let hops = 0; hops <= MAX_REDIRECTS; hops += 1) {
    const response = await fetch(url, {
      headers: request.headers,
      // Followed by hand: fetch would carry the cursor and the contact to any host it is sent to.
      redirect: "manual",
      cache: "no-store",
      signal: options.signal.signal,
    });
    const target = redirectTarget(response, url);
    if (target === null) return judge(response, request, options);
    await response.body?.cancel();
    if (target.host !== url.host || target.protocol !== url.protocol) {
      return { end: { end: "redirected", to: target.href } };
    }
    url = target;
  }
  return { end: { end: "redirected", to: url.href } };
}

function redirectTarget(response: Response, from: URL): URL | null {
  if (![301, 302, 303, 307, 308].includes(response.status)) return null;
  const location = response.headers.get("location");
  return location !== null && URL.canParse(location, from.href) ? new URL(location, from) : null;
}

async function judge(response: Response, request: SourceRequest, options: OpenOptions): Promise<HttpStream> {
  const end = refusalOf(response, request, options.nowMs());
  if (end !== null || response.body === null) {
    await response.body?.cancel();
    return { end: end ?? { end: "closed" } };
  }
  const serverMs = Date.parse(response.headers.get("date") ?? "");
  const serverOffsetMs = Number.isNaN(serverMs) ? null : Math.round(serverMs - options.nowMs());
  return { reader: response.body.getReader(), serverOffsetMs };
}

function refusalOf(response: Response, request: SourceRequest, nowMs: number): ConnectionEnd | null {
  const { status, headers } = response;
  if (status !== 200) {
    const serverMs = Date.parse(headers.get("date") ?? "");
    const retryAfterMs = parseRetryAfter(
      headers.get("retry-after"),
      Number.isNaN(serverMs) ? nowMs : serverMs,
    );
    return { end: "refused", status, retryAfterMs, resumedBy: request.resumedBy, fallbackSinceMs: null };
  }
  const encoding = (headers.get("content-encoding") ?? "identity").trim().toLowerCase();
  if (!DECODED.has(encoding)) return { end: "encoding", encoding: encoding.slice(0, 100) };
  const contentType = headers.get("content-type") ?? "";
  if (/^\s*text\/event-stream\s*(;|$)/i.test(contentType)) return null;
  return { end: "not-a-stream", contentType: contentType.slice(0, 100) };
}

function unreachable(error: unknown): ConnectionEnd {
  const { code, text } = causeOf(error);
  return TLS_ERROR.test(code) ? { end: "tls", reason: code } : { end: "unreachable", reason: text };
}

/** fetch rejects with "fetch failed" or "terminated"; what happened is in its cause. */
export function causeOf(error: unknown): { readonly code: string; readonly text: string } {
  const cause: unknown = error instanceof Error && error.cause !== undefined ? error.cause : error;
  const code: unknown =
    typeof cause === "object" && cause !== null && "code" in cause ? cause.code : undefined;
  const message = cause instanceof Error ? cause.message : String(cause);
  const text = typeof code === "string" && !message.includes(code) ? `${code}: ${message}` : message;
  return { code: typeof code === "string" ? code : "", text: text.slice(0, 300) };
}
