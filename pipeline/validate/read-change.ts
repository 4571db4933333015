import type { Change, OldNew } from "../protocol/change.ts";
import { metaDtUs } from "./event-time.ts";
import type { OldNewJson, RecentChange } from "./recent-change.ts";

type ChangeOf<Keys extends keyof Change> = Pick<Change, Keys>;
type MetaKeys = "id" | "topic" | "partition" | "sourceOffset" | "metaDtUs" | "uri" | "domain" | "schemaUri";
type PageKeys = "type" | "wiki" | "serverName" | "namespace" | "title" | "comment" | "rcId";
type EditKeys = "user" | "bot" | "minor" | "patrolled" | "length" | "revision";
type LogKeys = "logId" | "logType" | "logAction" | "logParams" | "logActionComment";

/** The typed view of an event that passed every rule. `id`, `wiki` and `type` are there: a rule demands them. */
export function readChange(event: RecentChange, eventTimeUs: number): Change {
  return { eventTimeUs, ...readMeta(event), ...readPage(event), ...readEdit(event), ...readLog(event) };
}

function readMeta(event: RecentChange): ChangeOf<MetaKeys> {
  const { meta } = event;
  return {
    id: meta.id ?? "",
    topic: meta.topic ?? null,
    partition: readWhole(meta.partition),
    sourceOffset: readWhole(meta.offset),
    metaDtUs: metaDtUs(event),
    uri: meta.uri ?? null,
    domain: meta.domain ?? null,
    schemaUri: event.$schema ?? meta.schema_uri ?? null,
  };
}

function readPage(event: RecentChange): ChangeOf<PageKeys> {
  return {
    type: String(event.type),
    wiki: event.wiki ?? "",
    serverName: event.server_name ?? null,
    namespace: readWhole(event.namespace),
    title: event.title ?? null,
    comment: event.comment ?? null,
    rcId: readWhole(event.id),
  };
}

function readEdit(event: RecentChange): ChangeOf<EditKeys> {
  return {
    user: event.user === undefined || event.user === "" ? null : event.user,
    bot: event.bot ?? false,
    minor: event.minor ?? null,
    patrolled: event.patrolled ?? null,
    length: readOldNew(event.length),
    revision: readOldNew(event.revision),
  };
}

function readLog(event: RecentChange): ChangeOf<LogKeys> {
  return {
    logId: readWhole(event.log_id),
    logType: event.log_type ?? null,
    logAction: event.log_action ?? null,
    logParams: event.log_params,
    logActionComment: event.log_action_comment ?? null,
  };
}

function readOldNew(value: OldNewJson | null | undefined): OldNew | null {
  return value ? { old: readWhole(value.old), new: readWhole(value.new) } : null;
}

/** JSON has a negative zero, int64 has not. */
function readWhole(value: number | null | undefined): number | null {
  return value === undefined || value === null ? null : value + 0;
}
