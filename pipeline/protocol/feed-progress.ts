/** How far a demo feed is: what another one needs to take its place, as a broker's log would outlive the server before it. */
export type FeedProgress = {
  /** T0 of the events, ms since 1970 UTC. */
  readonly startMs: number;
  /** When the first client came, by the wall clock; null before. */
  readonly beganMs: number | null;
  /** Positions that were served to anybody. */
  readonly frontier: number;
};
