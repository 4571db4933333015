import type { Change, OldNew } from "../protocol/change.ts";
import { metaDtUs } from "./event-time.ts";
import type { OldNewJson, RecentChange } from "./recent-change.ts";

/** The typed view of an event that passed every rule. `id`, `wiki` and `type` are there: a rule demands them. */
export function readChange(event: RecentChange, eventTimeUs: number): Change {
  const { meta } = event;
  return {
    id: orNone(meta.id) ?? "",
    eventTimeUs,
    type: String(event.type),
    wiki: orNone(event.wiki) ?? "",
    topic: orNone(meta.topic),
    partition: readWhole(meta.partition),
    sourceOffset: readWhole(meta.offset),
    metaDtUs: metaDtUs(event),
    uri: orNone(meta.uri),
    domain: orNone(meta.domain),
    schemaUri: orNone(event.$schema ?? meta.schema_uri),
    serverName: orNone(event.server_name),
    namespace: readWhole(event.namespace),
    title: orNone(event.title),
    user: event.user === "" ? null : orNone(event.user),
    bot: event.bot === true,
    minor: orNone(event.minor),
    patrolled: orNone(event.patrolled),
    comment: orNone(event.comment),
    length: readOldNew(event.length),
    revision: readOldNew(event.revision),
    rcId: readWhole(event.id),
    logId: readWhole(event.log_id),
    logType: orNone(event.log_type),
    logAction: orNone(event.log_action),
    logParams: event.log_params,
    logActionComment: orNone(event.log_action_comment),
  };
}

/** Absent and null mean the same in every era. */
function orNone<T>(value: T | null | undefined): T | null {
  return value === undefined ? null : value;
}

function readOldNew(value: OldNewJson | null | undefined): OldNew | null {
  return value ? { old: readWhole(value.old), new: readWhole(value.new) } : null;
}

/** JSON has a negative zero, int64 has not. */
function readWhole(value: number | null | undefined): number | null {
  return value === undefined || value === null ? null : value + 0;
}
