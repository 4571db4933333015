import type { FeedPlan } from "./feed-plan.ts";
import { type Page, pageAt } from "./pages.ts";
import { mix } from "./random.ts";
import { type User, userAt } from "./users.ts";
import { type Wiki, wikiAt } from "./wikis.ts";

const SALT_WAR = 32;
/** Edit wars: in one of four blocks of 512 events, two users revert each other on one page, every eighth event. */
const WAR_BLOCK = 512;
/** Distance of two rounds of a war, in events. */
export const WAR_EVERY = 8;

/** One round of an edit war. */
export type War = { readonly wiki: Wiki; readonly page: Page; readonly user: User; readonly round: number };

/** The round that event `k` is, or null: most events are peaceful. */
export function warAt(plan: FeedPlan, k: number): War | null {
  const block = Math.floor(k / WAR_BLOCK);
  const hash = mix(plan.seed, block, SALT_WAR);
  const at = k - block * WAR_BLOCK;
  if (hash % 4 !== 0 || at < WAR_EVERY || at % WAR_EVERY !== (hash >>> 8) % WAR_EVERY) return null;
  const round = Math.floor(at / WAR_EVERY);
  const wiki = wikiAt((hash >>> 12) % 12);
  const sides = (hash >>> 4) % 1000;
  return { wiki, page: pageAt(wiki, 0, 60 + sides), user: userAt(wiki, sides + (round % 2)), round };
}
