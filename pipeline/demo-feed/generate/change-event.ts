import { type Comment, categorizeComment, editComment, words } from "./comments.ts";
import { eventKind, type EventKind } from "./event-kind.ts";
import { type FeedPlan, SERVED_TOPIC, STREAM } from "./feed-plan.ts";
import { WAR_EVERY, warAt } from "./edit-war.ts";
import { type Json, pickLogAction } from "./log-actions.ts";
import { type Page, pageAt, pickCategory, pickPage } from "./pages.ts";
import { arrivalMs, offsetAt, positionOfEvent } from "./positions.ts";
import { mix, Random, runUuid, uuidFrom } from "./random.ts";
import { pickUser, type User } from "./users.ts";
import { pickWiki, type Wiki } from "./wikis.ts";

/** A recentchange event before it becomes text; keys in the order in which MediaWiki writes them. */
export type ChangeEvent = { [key: string]: Json | undefined; meta: { [key: string]: Json | undefined } };

const SALT_ID = 30;
const SALT_CONTENT = 31;
const DRIFT_FROM = 500;

/** `meta.id` of event `k` (also of one whose bytes will not show it). */
export function eventId(plan: FeedPlan, k: number): string {
  return runUuid(plan.seed, plan.startMs, k, SALT_ID);
}

/** Everything that the pieces of one event are made of. */
type Draft = {
  readonly plan: FeedPlan;
  readonly k: number;
  readonly random: Random;
  readonly wiki: Wiki;
  readonly page: Page;
  readonly user: User;
  readonly rcId: number;
  readonly seconds: number;
};

/** Event `k` with all its fields, before any flaw. */
export function changeEvent(plan: FeedPlan, k: number, kind: EventKind = eventKind(plan, k)): ChangeEvent {
  const random = new Random(mix(plan.seed, k, SALT_CONTENT));
  const seconds = Math.floor(kind.eventTimeMs / 1000);
  const needsEdit = kind.kind === "malformed" && kind.flaw === "bad-revision";
  const war = warAt(plan, k);
  const event =
    war === null
      ? eventOfType(peacefulDraft(plan, k, random, seconds), needsEdit ? 0 : random.share())
      : edit({ ...war, plan, k, random, seconds, rcId: rcIdOf(war.wiki, k) }, war.round);
  if (plan.faults.has("drift") && k >= DRIFT_FROM) addDrift(event, random);
  return event;
}

function peacefulDraft(plan: FeedPlan, k: number, random: Random, seconds: number): Draft {
  const wiki = pickWiki(random);
  const page = pickPage(random, wiki);
  return { plan, k, random, seconds, wiki, page, user: pickUser(random, wiki), rcId: rcIdOf(wiki, k) };
}

/** The wiki's own number of a change; unique only per wiki. */
function rcIdOf(wiki: Wiki, k: number): number {
  return 100_000_000 + wiki.index * 70_000_000 + k * 2 + 1;
}

function eventOfType(draft: Draft, share: number): ChangeEvent {
  if (share < 0.47) return edit(draft, null);
  if (share < 0.82) return categorize(draft);
  if (share < 0.91) return log(draft);
  if (share < 0.97) return creation(draft);
  return share < 0.997 ? external(draft) : flowPost(draft);
}

function edit(draft: Draft, warRound: number | null): ChangeEvent {
  const { random, wiki, page } = draft;
  const newRevision = revisionOf(wiki, draft.k);
  const oldRevision =
    warRound === null ? newRevision - 1 - random.whole(900_000) : revisionOf(wiki, draft.k - WAR_EVERY);
  const oldLength = Math.floor(60 + 150_000 * random.share() ** 4);
  const warLength = 18_000 + ((warRound ?? 0) % 2) * 740;
  const length =
    warRound === null
      ? { old: oldLength, new: Math.max(0, oldLength + editDelta(random)) }
      : { old: 18_740 - (warRound % 2) * 740, new: warLength };
  return event(draft, "edit", page, editComment(random, wiki, page), {
    notify: `diff=${newRevision}&oldid=${oldRevision}${wiki.isPatrolled ? `&rcid=${draft.rcId}` : ""}`,
    minor: random.chance(0.3),
    patrolled: wiki.isPatrolled ? draft.user.isBot || random.chance(0.6) : undefined,
    length,
    revision: { old: oldRevision, new: newRevision },
  });
}

function creation(draft: Draft): ChangeEvent {
  const { random, wiki } = draft;
  const page = pageAt(wiki, draft.page.namespace, 1_000_000 + draft.k);
  const revision = revisionOf(wiki, draft.k);
  return event(draft, "new", page, editComment(random, wiki, page), {
    notify: `oldid=${revision}${wiki.isPatrolled ? `&rcid=${draft.rcId}` : ""}`,
    minor: false,
    patrolled: wiki.isPatrolled ? random.chance(0.3) : undefined,
    length: { new: 200 + random.whole(12_000) },
    revision: { new: revision },
  });
}

function categorize(draft: Draft): ChangeEvent {
  const { random, wiki, page } = draft;
  const category = pickCategory(random, wiki);
  return event(draft, "categorize", category, categorizeComment(wiki, page), {
    notify: `diff=${revisionOf(wiki, draft.k)}&oldid=${revisionOf(wiki, draft.k) - 1 - random.whole(5000)}`,
  });
}

function external(draft: Draft): ChangeEvent {
  const { random, wiki, page } = draft;
  const item = `Q${1 + random.whole(120_000_000)}`;
  const comment = {
    comment: `/* wbsetsitelink-add:1|${wiki.db} */ ${page.title}`,
    parsedcomment: `<span class="autocomment">${item}</span>`,
  };
  return event(draft, "external", page, comment, {
    notify: `diff=${random.whole(2_000_000_000)}&oldid=${random.whole(2_000_000_000)}`,
    minor: true,
    patrolled: wiki.isPatrolled ? true : undefined,
    length: { old: 100, new: 100 },
    revision: { old: revisionOf(wiki, draft.k) - 7, new: revisionOf(wiki, draft.k) },
  });
}

/** Extensions number their types; "142" is a post on a Flow board. */
function flowPost(draft: Draft): ChangeEvent {
  const page = pageAt(draft.wiki, 2600, draft.random.tail(900));
  return event(draft, "142", page, { comment: "", parsedcomment: "" }, {});
}

function log(draft: Draft): ChangeEvent {
  const { random, wiki } = draft;
  const kind = pickLogAction(random);
  const page = kind.namespace === null ? draft.page : pageAt(wiki, kind.namespace, random.tail(50_000));
  const text = random.chance(0.4) ? words(random, wiki, 2 + random.whole(8)) : "";
  return event(
    draft,
    "log",
    page,
    { comment: text, parsedcomment: text },
    {
      hasId: kind.hasId,
      log_id: kind.type === "abusefilter" ? 0 : 20_000_000 + draft.k,
      log_type: kind.type,
      log_action: kind.action,
      log_params: kind.params(random),
      log_action_comment: `${draft.user.name ?? ""} ${kind.action} [[${page.title}]]${text === "" ? "" : `: ${text}`}`,
    },
  );
}

type Extra = { readonly notify?: string; readonly hasId?: boolean; readonly [key: string]: Json | undefined };

function event(draft: Draft, type: string, page: Page, text: Comment, extra: Extra): ChangeEvent {
  const { plan, k, random, wiki, user } = draft;
  const { notify, hasId = true, length, revision, minor, patrolled, ...logs } = extra;
  const address = `https://${wiki.host}/wiki/${page.path}`;
  const isOldMediaWiki = random.chance(0.02);
  return {
    $schema: "/mediawiki/recentchange/1.0.0",
    meta: {
      uri: address,
      request_id: uuidFrom(random),
      id: eventId(plan, k),
      dt: new Date(arrivalMs(plan, k)).toISOString(),
      domain: wiki.host,
      stream: STREAM,
      topic: SERVED_TOPIC,
      partition: 0,
      offset: offsetAt(plan, positionOfEvent(plan, k)),
    },
    id: hasId ? draft.rcId : undefined,
    type,
    namespace: page.namespace,
    title: page.title,
    title_url: isOldMediaWiki ? undefined : address,
    comment: text.comment,
    timestamp: draft.seconds,
    user: user.name,
    bot: user.isBot,
    notify_url:
      notify === undefined || isOldMediaWiki ? undefined : `https://${wiki.host}/w/index.php?${notify}`,
    minor,
    patrolled,
    length,
    revision,
    ...logs,
    server_url: `https://${wiki.host}`,
    server_name: wiki.host,
    server_script_path: "/w",
    wiki: wiki.db,
    parsedcomment: text.parsedcomment,
  };
}

/** Rises with `k`, differs from wiki to wiki; Wikidata's are beyond 32 bits. */
function revisionOf(wiki: Wiki, k: number): number {
  return (wiki.style === "items" ? 5_000_000_000 : 40_000_000 + wiki.index * 30_000_000) + k * 3;
}

function editDelta(random: Random): number {
  if (random.chance(0.03)) return -random.whole(9000);
  return Math.floor(900 * random.share() ** 3 * (random.chance(0.25) ? -1 : 1));
}

/** Fields of a schema that nobody has seen yet: additive, so every one of them is normal. */
function addDrift(target: ChangeEvent, random: Random): void {
  target["$schema"] = "/mediawiki/recentchange/1.1.0";
  target["revert"] = { method: random.pick(["rollback", "undo", "manual"]), is_exact: random.chance(0.5) };
  target["tags"] = ["mobile edit", "visualeditor"];
  target["performer"] = { edit_count: random.whole(100_000), is_temp: false };
  target.meta["received_by"] = { cluster: "eqiad", host: random.whole(40) };
}
