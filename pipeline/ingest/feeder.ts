import type { NoteBody } from "#storage/model/record.ts";
import type { ConnectionState } from "../protocol/telemetry.ts";
import type { GapAsk, ReceivedFrame } from "./source-contract.ts";

/** Who a feeder hands everything to. Calls come in the order in which things happened. */
export type FeederSink = {
  readonly take: (frame: ReceivedFrame) => void;
  /** A fact that later decisions must find in the log, in its place among the records. */
  readonly note: (body: NoteBody) => void;
  readonly takeEmpty: (count: number) => void;
  readonly cutFrame: () => void;
  readonly opened: (serverOffsetMs: number | null) => void;
  readonly received: () => void;
  /** Null while there is room, else a promise of it; nothing more is read until then. */
  readonly room: () => Promise<void> | null;
  /** Makes what was taken durable as far as possible now, and tells the position to resume from. */
  readonly position: () => string | null;
  readonly log: (level: "info" | "warn" | "error", message: string) => void;
};

/** Brings records from one source. Lifetime: start once, any calls, stop once. */
export type Feeder = {
  readonly state: () => ConnectionState;
  readonly start: () => void;
  readonly pause: () => void;
  /** Goes on after a pause; tries again at once when waiting or failed. */
  readonly resume: () => void;
  /** A hole to be covered by the next connection. */
  readonly ask: (gap: GapAsk) => void;
  /** Ends; nothing is taken any more when it resolves. */
  readonly stop: () => Promise<void>;
  /** Resolves when the source has no more; never for an endless one. Rejects when the feeder cannot go on. */
  readonly finished: Promise<"end-of-source">;
};
