/** How often a worker is asked whether it lives. */
export const HEARTBEAT_INTERVAL_MS = 1_000;
/** Silent for longer than this: shown as hanging. Batches and seals stay far below. */
export const HEARTBEAT_HANGING_MS = 6_000;
/** Silent for longer than this: killed and started again. */
export const HEARTBEAT_KILL_MS = 20_000;

/** What the heartbeat says of a worker. */
export type HeartbeatVerdict = "alive" | "hanging" | "kill";

/** Account of one worker process; all times monotonic. */
export type Heartbeat = {
  readonly lastPongMs: number;
  readonly lastCheckMs: number;
};

/** A process that just started. */
export function startHeartbeat(nowMs: number): Heartbeat {
  return { lastPongMs: nowMs, lastCheckMs: nowMs };
}

/**
 * One check. When the check itself comes late (the machine slept, or we were stopped), the silence is ours and not the
 * worker's: it is forgiven.
 */
export function checkHeartbeat(
  beat: Heartbeat,
  nowMs: number,
): { beat: Heartbeat; verdict: HeartbeatVerdict } {
  const wasAsleep = nowMs - beat.lastCheckMs > HEARTBEAT_INTERVAL_MS * 3;
  const lastPongMs = wasAsleep ? nowMs : beat.lastPongMs;
  const silentMs = nowMs - lastPongMs;
  const verdict =
    silentMs > HEARTBEAT_KILL_MS ? "kill" : silentMs > HEARTBEAT_HANGING_MS ? "hanging" : "alive";
  return { beat: { lastPongMs, lastCheckMs: nowMs }, verdict };
}

/** The account after an answer. */
export function notePong(beat: Heartbeat, nowMs: number): Heartbeat {
  return { ...beat, lastPongMs: nowMs };
}
