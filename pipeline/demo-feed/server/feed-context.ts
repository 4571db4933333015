import type { FeedPlan } from "../generate/feed-plan.ts";
import type { ManifestBook } from "../manifest/manifest-book.ts";
import type { Producer } from "./producer.ts";

/** What all connections of one feed share. */
export type FeedContext = {
  readonly plan: FeedPlan;
  readonly producer: Producer;
  /** null: nobody asked for a manifest, so nothing is counted per event. */
  readonly book: ManifestBook | null;
  readonly connectionMaxMs: number;
  readonly countSent: () => void;
};
