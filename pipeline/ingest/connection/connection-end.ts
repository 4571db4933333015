/** Why a connection attempt is over. Every way it can end is one of these, so the state machine decides on all of them. */
export type ConnectionEnd =
  /** The server ended the body. Wikimedia does so every 15 minutes. */
  | { readonly end: "closed" }
  /** The socket broke inside the body (undici: "terminated"). */
  | { readonly end: "cut"; readonly reason: string }
  /** No byte came within the idle limit. */
  | { readonly end: "idle"; readonly idleMs: number }
  /** A frame above the cap has no end within what is read away. */
  | { readonly end: "endless-frame" }
  /** No status line within the connect limit. */
  | { readonly end: "connect-timeout"; readonly limitMs: number }
  /** No connection at all: DNS, refused, reset. */
  | { readonly end: "unreachable"; readonly reason: string }
  /** The certificate was not accepted: a matter of configuration, never answered by trusting it. */
  | { readonly end: "tls"; readonly reason: string }
  | {
      readonly end: "refused";
      readonly status: number;
      readonly retryAfterMs: number | null;
      readonly resumedBy: "nothing" | "cursor" | "since";
      /** Time a resume by `since` would ask for instead, ms; null when nothing is known to resume from. */
      readonly fallbackSinceMs: number | null;
    }
  | { readonly end: "redirected"; readonly to: string }
  | { readonly end: "not-a-stream"; readonly contentType: string }
  | { readonly end: "encoding"; readonly encoding: string }
  /** The recording cannot be opened or read on. */
  | { readonly end: "file-unreadable"; readonly reason: string }
  /** We ended it ourselves: pause, stop, shutdown. */
  | { readonly end: "aborted" };

/**
 * `Retry-After` in milliseconds from now: whole seconds or an HTTP date (RFC 9110, 10.2.3). `serverNowMs` is the response's
 * own `Date` where it had one, so that a wrong local clock does not lengthen the wait. Null for none and for nonsense.
 */
export function parseRetryAfter(value: string | null, serverNowMs: number): number | null {
  if (value === null) return null;
  const text = value.trim();
  if (/^\d{1,9}$/.test(text)) return Number(text) * 1_000;
  const at = Date.parse(text);
  return /[a-z]/i.test(text) && !Number.isNaN(at) ? Math.max(0, at - serverNowMs) : null;
}
