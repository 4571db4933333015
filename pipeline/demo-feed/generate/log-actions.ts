import type { Random } from "./random.ts";

/** A value as JSON has it. */
export type Json =
  | string
  | number
  | boolean
  | null
  | readonly Json[]
  | { readonly [key: string]: Json | undefined };

/** One kind of log line. */
export type LogAction = {
  readonly type: string;
  readonly action: string;
  /** False for logs that are not stored in recentchanges: their events have no `id`. */
  readonly hasId: boolean;
  /** Namespace of the target; null = the page's own. */
  readonly namespace: number | null;
  /** undefined = the event has no `log_params`. */
  readonly params: (random: Random) => Json | undefined;
};

function action(
  type: string,
  name: string,
  params: LogAction["params"],
  options: { readonly hasId?: boolean; readonly namespace?: number } = {},
): LogAction {
  return { type, action: name, params, hasId: options.hasId ?? true, namespace: options.namespace ?? null };
}

const empty = (): Json => [];
const absent = (): undefined => undefined;
const number = (random: Random): number => 1 + random.whole(90_000_000);

/**
 * Log lines with every shape of `log_params` that MediaWiki's PHP arrays turn into: object, list, empty list, text, absent;
 * numbers as text, nested values. Repeated entries are frequent ones.
 */
const LOG_ACTIONS: readonly [LogAction, ...LogAction[]] = [
  action("abusefilter", "hit", abuseFilterHit, { hasId: false }),
  action("abusefilter", "hit", abuseFilterHit, { hasId: false }),
  action("abusefilter", "hit", abuseFilterHit, { hasId: false }),
  action("newusers", "create", (random) => ({ userid: number(random) }), { namespace: 2 }),
  action("newusers", "create", (random) => ({ userid: number(random) }), { namespace: 2 }),
  action("newusers", "autocreate", (random) => ({ userid: number(random) }), { namespace: 2 }),
  action("upload", "upload", (random) => ({ img_sha1: random.hex(31), img_timestamp: "20261130101112" }), {
    namespace: 6,
  }),
  action("upload", "overwrite", (random) => ({ img_sha1: random.hex(31), img_timestamp: "20261130101113" }), {
    namespace: 6,
  }),
  action("patrol", "patrol", patrolParams, { hasId: false }),
  action("patrol", "autopatrol", patrolParams, { hasId: false }),
  action("thanks", "thank", empty, { hasId: false, namespace: 2 }),
  action("review", "approve", (random) => [number(random), number(random), "20261130101112"], {
    hasId: false,
  }),
  action("review", "approve-a", (random) => [number(random), 0], { hasId: false }),
  action("delete", "delete", empty),
  action("delete", "restore", () => ({ count: { revisions: 3, files: 0 } })),
  action("delete", "revision", (random) => ({
    type: "revision",
    ids: [String(number(random))],
    ofield: 0,
    nfield: 3,
  })),
  action("delete", "event", () => "4::type"),
  action("move", "move", (random) => ({ target: `Moved page ${random.whole(9999)}`, noredir: "0" })),
  action("move", "move_redir", (random) => ({ target: `Moved over ${random.whole(9999)}`, noredir: "1" })),
  action("block", "block", () => ({ duration: "infinite", flags: "nocreate,noemail", sitewide: true }), {
    namespace: 2,
  }),
  action("block", "unblock", empty, { namespace: 2 }),
  action(
    "block",
    "reblock",
    () => ({ duration: "31 hours", flags: [], sitewide: false, restrictions: { pages: ["A", "B"] } }),
    { namespace: 2 },
  ),
  action(
    "rights",
    "rights",
    () => ({ oldgroups: [], newgroups: ["autoreview"], oldmetadata: [], newmetadata: [{ expiry: null }] }),
    { namespace: 2 },
  ),
  action("protect", "protect", () => ({
    description: "[edit=sysop]",
    cascade: false,
    details: [{ type: "edit", level: "sysop", expiry: "infinity" }],
  })),
  action("protect", "move_prot", () => ({ oldtitle: "Older title" })),
  action("pagetriage-curation", "reviewed", absent),
  action("pagetranslation", "mark", (random) => ({ revision: number(random), changed: 4, force: "no" })),
  action("renameuser", "renameuser", () => ({ olduser: "Old name", newuser: "New name", edits: "17" }), {
    namespace: 2,
  }),
  action("merge", "merge", () => ({ dest: "Merged page", mergepoint: "20261130101112" })),
  action(
    "tag",
    "update",
    (random) => ({
      revid: number(random),
      logid: null,
      tagsAdded: ["mobile edit"],
      tagsAddedCount: 1,
      initialTags: [],
    }),
    { hasId: false },
  ),
  action("import", "interwiki", () => ({ count: 12, "interwiki:title": "de:Seite" })),
  action("managetags", "create", () => "demo tag", { namespace: -1 }),
  action("growthexperiments", "addlink", (random) => [String(number(random))], { hasId: false }),
  action("contentmodel", "change", () => ({ oldmodel: "wikitext", newmodel: "javascript" })),
  action("massmessage", "send", absent, { namespace: 4 }),
];

/** A log line, frequent kinds more often. */
export function pickLogAction(random: Random): LogAction {
  return random.pick(LOG_ACTIONS);
}

function abuseFilterHit(random: Random): Json {
  return {
    action: random.pick(["edit", "createaccount", "move"]),
    filter: String(1 + random.whole(1200)),
    actions: "tag",
    log: number(random),
  };
}

function patrolParams(random: Random): Json {
  return { curid: number(random), previd: number(random), auto: random.whole(2) };
}
