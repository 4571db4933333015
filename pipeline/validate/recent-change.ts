import type { JsonObject, JsonValue } from "../protocol/change.ts";

/**
 * A recentchange event whose shape was checked (shape.ts): every key that we know has the type below, or is null or
 * absent. 2018 wrote null where 2019 and later leave the key out, so both mean the same everywhere.
 */
export type RecentChange = {
  readonly $schema?: string | null;
  readonly meta: RecentChangeMeta;
  readonly id?: number | null;
  /** edit, new, log, categorize, external, or an extension's number: an open set. */
  readonly type?: string | number | null;
  readonly namespace?: number | null;
  readonly title?: string | null;
  readonly comment?: string | null;
  readonly parsedcomment?: string | null;
  /** Unix seconds. */
  readonly timestamp?: number | null;
  readonly user?: string | null;
  readonly bot?: boolean | null;
  readonly minor?: boolean | null;
  readonly patrolled?: boolean | null;
  readonly length?: OldNewJson | null;
  readonly revision?: OldNewJson | null;
  readonly log_id?: number | null;
  readonly log_type?: string | null;
  readonly log_action?: string | null;
  readonly log_params?: JsonValue;
  readonly log_action_comment?: string | null;
  readonly server_url?: string | null;
  readonly server_name?: string | null;
  readonly server_script_path?: string | null;
  readonly wiki?: string | null;
};

/** The envelope that the event platform and the stream service add. */
export type RecentChangeMeta = {
  readonly id?: string | null;
  readonly dt?: string | null;
  readonly domain?: string | null;
  readonly stream?: string | null;
  readonly uri?: string | null;
  readonly request_id?: string | null;
  /** Before mid 2019, instead of `$schema`. */
  readonly schema_uri?: string | null;
  readonly topic?: string | null;
  readonly partition?: number | null;
  readonly offset?: number | null;
};

/** Old and new of a length or revision. */
export type OldNewJson = { readonly old?: number | null; readonly new?: number | null };

/** Names the checked shape. Only for values that {@link import("./shape.ts").findShapeFault} found no fault with. */
export function parseCheckedShape(value: JsonObject): RecentChange {
  return value as unknown as RecentChange;
}
