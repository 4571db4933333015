/**
 * Shape of a recentchange event, as permissive as the feed's own schema (eventstreams.md 3): open enums, unknown keys
 * pass, null means absent. It is the written contract; ajv applies it in tests, shape.ts in the hot path, and a
 * property test holds the two equal.
 */
const text = { type: ["string", "null"] };
const whole = { type: ["integer", "null"] };
const yesNo = { type: ["boolean", "null"] };
const oldNew = { type: ["object", "null"], properties: { old: whole, new: whole } };

/** JSON Schema (draft-07) of a recentchange event. */
export const recentChangeSchema = {
  $schema: "http://json-schema.org/draft-07/schema#",
  title: "mediawiki/recentchange as Highwater accepts it",
  type: "object",
  required: ["meta"],
  properties: {
    $schema: text,
    meta: {
      type: "object",
      properties: {
        id: text,
        dt: text,
        domain: text,
        stream: text,
        uri: text,
        request_id: text,
        schema_uri: text,
        topic: text,
        partition: whole,
        offset: whole,
      },
    },
    id: whole,
    type: { type: ["string", "integer", "null"] },
    namespace: whole,
    title: text,
    comment: text,
    parsedcomment: text,
    timestamp: whole,
    user: text,
    bot: yesNo,
    minor: yesNo,
    patrolled: yesNo,
    length: oldNew,
    revision: oldNew,
    log_id: whole,
    log_type: text,
    log_action: text,
    log_action_comment: text,
    server_url: text,
    server_name: text,
    server_script_path: text,
    wiki: text,
  },
} as const;
