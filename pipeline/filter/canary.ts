import { isJsonObject, type JsonObject } from "../protocol/change.ts";

/** The domain of test events that Wikimedia sends to every stream as a sign of life (eventstreams.md "Canary events"). */
const CANARY_DOMAIN = "canary";

/** True for a canary: a liveness signal, not an edit. It is counted as filtered and does not move the watermark. */
export function isCanary(value: JsonObject): boolean {
  const meta = value["meta"];
  return isJsonObject(meta) && meta["domain"] === CANARY_DOMAIN;
}

/** What an id of a canary may look like to be stored beside it; a longer or stranger one is left to the record's hash. */
const PLAIN_ID = /^[\x21-\x7e]{1,128}$/;

/** `meta.id` of a canary, so that a filtered record can be found by it; null where it has none that can be stored as text. */
export function canaryId(value: JsonObject): string | null {
  const meta = value["meta"];
  const id = isJsonObject(meta) ? meta["id"] : null;
  return typeof id === "string" && PLAIN_ID.test(id) ? id : null;
}
