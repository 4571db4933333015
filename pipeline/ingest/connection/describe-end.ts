import type { ConnectionEnd } from "./connection-end.ts";

/** A sentence for the user, and what they can do; no remedy where trying again is the answer. */
export type EndDescription = { readonly reason: string; readonly remedy: string | null };

const SEE_ADDRESS = "Check the address of the source.";

/** Ends that the same request would lead to again. */
type Final = Extract<
  ConnectionEnd,
  { end: "refused" | "redirected" | "tls" | "encoding" | "file-unreadable" }
>;
type Retried = Exclude<ConnectionEnd, Final>;

/** Says what happened. A remedy means: the same request would be answered the same way, so stop and tell. */
export function describeEnd(end: ConnectionEnd): EndDescription {
  return isFinal(end) ? describeFinal(end) : { reason: describeRetried(end), remedy: null };
}

function isFinal(end: ConnectionEnd): end is Final {
  const finals: readonly string[] = ["refused", "redirected", "tls", "encoding", "file-unreadable"];
  return finals.includes(end.end);
}

function describeFinal(end: Final): EndDescription {
  switch (end.end) {
    case "refused":
      return describeRefusal(end);
    case "redirected":
      return {
        reason: `The source sends us to another place (${end.to}).`,
        remedy: "If that place is trusted, use its address as the source.",
      };
    case "tls":
      return {
        reason: `The source's certificate was not accepted (${end.reason}).`,
        remedy:
          "Behind a company proxy set NODE_EXTRA_CA_CERTS to the file with its certificate. Verification is never switched off.",
      };
    case "encoding":
      return {
        reason: `The answer is compressed (content-encoding: ${end.encoding}) though identity was asked for.`,
        remedy:
          "A proxy between here and the source compresses the stream; exempt text/event-stream from it.",
      };
    case "file-unreadable":
      return {
        reason: end.reason,
        remedy: "Check that the file is there, whole and readable, then try again.",
      };
  }
}

function describeRetried(end: Retried): string {
  switch (end.end) {
    case "closed":
      return "The source ended the connection.";
    case "cut":
      return `The connection broke (${end.reason}).`;
    case "idle":
      return `Nothing was received for ${seconds(end.idleMs)}.`;
    case "endless-frame":
      return "The source sent one event without end; what came of it is kept as oversized.";
    case "connect-timeout":
      return `The source did not answer within ${seconds(end.limitMs)}.`;
    case "unreachable":
      return `The source cannot be reached (${end.reason}).`;
    case "not-a-stream":
      return `The answer is ${end.contentType === "" ? "of no named type" : end.contentType}, not text/event-stream; is there a login page or proxy in between?`;
    case "aborted":
      return "The connection was ended here.";
  }
}

/** 408, 425, 429 and 5xx pass by themselves; any other refusal is repeated for the same request. */
function describeRefusal(end: ConnectionEnd & { end: "refused" }): EndDescription {
  const { status } = end;
  if (status === 408 || status === 425 || status === 429 || status >= 500) {
    return { reason: `The source answered with status ${status}.`, remedy: null };
  }
  const reason = `The source refuses the request (status ${status}).`;
  if (status === 403) {
    return {
      reason,
      remedy:
        "Wikimedia refuses programs that name no contact: set ingest.userAgentContact to a web page or e-mail address.",
    };
  }
  if (status === 404 && end.resumedBy === "cursor") {
    return {
      reason,
      remedy: `${SEE_ADDRESS} If it was changed to another stream, use another data folder: this log was kept from a different one.`,
    };
  }
  return { reason, remedy: SEE_ADDRESS };
}

function seconds(ms: number): string {
  return ms >= 1_000 ? `${Math.round(ms / 1_000)} s` : `${ms} ms`;
}
