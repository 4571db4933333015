import { isJsonObject, type JsonObject } from "../protocol/change.ts";

/** The domain of test events that Wikimedia sends to every stream as a sign of life (eventstreams.md "Canary events"). */
const CANARY_DOMAIN = "canary";

/** True for a canary: a liveness signal, not an edit. It is counted as filtered and does not move the watermark. */
export function isCanary(value: JsonObject): boolean {
  const meta = value["meta"];
  return isJsonObject(meta) && meta["domain"] === CANARY_DOMAIN;
}
