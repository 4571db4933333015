/** Values that pass from stage to stage. Stages never import each other; they share these types, and batch/ composes. */

/** A JSON value as our one decoder reads it: the last of repeated keys wins, numbers are doubles. */
export type JsonValue = string | number | boolean | null | readonly JsonValue[] | JsonObject;

/** A JSON object. Only own keys count: `__proto__` in a feed is a key like any other. */
export type JsonObject = { readonly [key: string]: JsonValue };

/** True for a JSON object, not for an array or null. */
export function isJsonObject(value: JsonValue | undefined): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** True for a JSON array. */
export function isJsonArray(value: JsonValue | undefined): value is readonly JsonValue[] {
  return Array.isArray(value);
}

/** What a value is, in the words of JSON; "nothing" where there is none. */
export function kindOfJson(value: JsonValue | undefined): string {
  if (value === undefined) return "nothing";
  if (value === null) return "null";
  return Array.isArray(value) ? "array" : typeof value;
}

/** The two forms in which a record's text is stored. */
export type StoredText = {
  /** Well-formed Unicode that DuckDB's JSON functions can read; the record's own bytes wherever nothing had to change. */
  readonly text: string | Uint8Array;
  /** The original bytes where `text` differs from them; null otherwise. */
  readonly rawBytes: Uint8Array | null;
};

/** Why bytes are no JSON object that we read. */
export type DecodeFailure = "not-json" | "not-an-object" | "nested-too-deep" | "too-large-to-read";

/** What the decoder made of a record's bytes. */
export type Decoded =
  | { readonly readable: true; readonly value: JsonObject; readonly stored: StoredText }
  | {
      readonly readable: false;
      readonly failure: DecodeFailure;
      readonly message: string;
      readonly stored: StoredText;
    };

/** Old and new of a length or revision; null = absent (2019 and later) or null (2018). */
export type OldNew = { readonly old: number | null; readonly new: number | null };

/** A valid recentchange event as typed values, every era alike; null where the event says nothing. */
export type Change = {
  readonly id: string;
  /** `timestamp`, else `meta.dt`; microseconds since 1970 UTC. */
  readonly eventTimeUs: number;
  readonly type: string;
  readonly wiki: string;
  readonly topic: string | null;
  readonly partition: number | null;
  readonly sourceOffset: number | null;
  readonly metaDtUs: number | null;
  readonly uri: string | null;
  readonly domain: string | null;
  readonly schemaUri: string | null;
  readonly serverName: string | null;
  readonly namespace: number | null;
  readonly title: string | null;
  /** Null for a suppressed name (no `user` key, null or empty). */
  readonly user: string | null;
  readonly bot: boolean;
  readonly minor: boolean | null;
  readonly patrolled: boolean | null;
  readonly comment: string | null;
  readonly length: OldNew | null;
  readonly revision: OldNew | null;
  readonly rcId: number | null;
  readonly logId: number | null;
  readonly logType: string | null;
  readonly logAction: string | null;
  /** Undefined: no such key. */
  readonly logParams: JsonValue | undefined;
  readonly logActionComment: string | null;
};

/** Validation's answer. A rejection names the rule, the reason and what the rule looked at (`trace`: JSON text). */
export type Verdict =
  | { readonly valid: true; readonly change: Change }
  | {
      readonly valid: false;
      readonly ruleId: string;
      readonly reasonCode: string;
      readonly trace: string;
      readonly id: string | null;
      readonly eventTimeUs: number | null;
    };

/** Where an accepted record stands in time, as decided at its own offset (architecture.md "Words"). */
export type Placement = {
  /** Watermark at the record's offset, microseconds; null when there was none. */
  readonly watermarkUs: number | null;
  /** Event time below the watermark. */
  readonly late: boolean;
  /** Newest event time of bronze before the offset − event time, at least 0, rounded up to whole milliseconds. */
  readonly latenessMs: number;
};

/** Position of a decoded event in the source's own numbering, for the gap detector. */
export type SourcePosition = {
  readonly topic: string;
  readonly partition: number;
  readonly sourceOffset: number;
  /** `meta.dt` as received. */
  readonly dt: string | null;
  readonly isCanary: boolean;
};
