import { IDLE_TOPIC, SERVED_TOPIC } from "../generate/feed-plan.ts";

/** An answer that is no stream. */
export type Refusal = {
  readonly status: number;
  readonly contentType: string;
  readonly body: string;
  readonly headers?: Readonly<Record<string, string>>;
};

type Problem = {
  readonly status: number;
  readonly type: string;
  readonly title: string;
  readonly detail: string;
};

/** The service's JSON problem. */
export function problem(facts: Problem, method: string, uri: string): Refusal {
  const type = `https://mediawiki.org/wiki/HyperSwitch/errors/${facts.type}`;
  return json(facts.status, "application/problem+json", {
    ...facts,
    type,
    method: method.toLowerCase(),
    uri,
  });
}

/** KafkaSSE's JSON error about a Last-Event-ID. */
export function kafkaSseError(status: 400 | 404, message: string): Refusal {
  const name = status === 404 ? "TopicNotAvailableError" : "InvalidAssignmentError";
  const facts = { message, name, origin: "KafkaSSE" };
  const available = { availableTopics: [SERVED_TOPIC, IDLE_TOPIC] };
  return json(status, "application/json; charset=utf-8", status === 404 ? { ...facts, ...available } : facts);
}

/** The CDN's page: HTML, so that nobody parses it as JSON. */
export function cdnPage(
  status: number,
  text: string,
  headers: Readonly<Record<string, string>> = {},
): Refusal {
  const body = `<!DOCTYPE html>\n<html lang="en"><title>Error ${status}</title><p>${text}</p></html>\n`;
  return { status, contentType: "text/html; charset=utf-8", body, headers };
}

function json(status: number, contentType: string, value: unknown): Refusal {
  return { status, contentType, body: JSON.stringify(value) };
}
