import type { SourceSpec } from "../protocol/worker-messages.ts";

/** A frame as a source delivered it, before the log gives it an offset and a received time. */
export type ReceivedFrame = {
  readonly kind: "event" | "oversized";
  /** SSE event type, or the name a file source gives. */
  readonly stream: string;
  /** The source's id in force, unchanged; empty without one. */
  readonly sourceId: string;
  /** Bytes of the data field exactly as received; of an oversized frame the first part. */
  readonly data: Uint8Array;
  /** JSON of an OversizedDetail; null for events. */
  readonly detail: string | null;
  /** Position right behind this frame, where the source knows it per frame (files); null where it is made from ids. */
  readonly position: string | null;
};

/** A hole in a source's own numbering that it is to be asked for; `sinceMs` is event time just before the hole. */
export type GapAsk = {
  readonly topic: string;
  readonly partition: number;
  readonly fromOffset: number;
  readonly toOffset: number;
  readonly sinceMs: number;
};

/** What a connection attempt starts from. */
export type ResumeAsk = {
  /** Position stored in the log; null on the very first connection. */
  readonly position: string | null;
  /** `since` after the source refused the position itself. */
  readonly by: "cursor" | "since";
  /** How far every topic is rewound, ms. */
  readonly rewindMs: number;
  /** Holes to be covered by this connection. */
  readonly asks: readonly GapAsk[];
  /** Contact for the User-Agent; empty = the product's own. */
  readonly contact: string;
};

/** An HTTP request for a stream. `sinceMs` is the oldest time it asks for; null when it starts live or by offsets. */
export type SourceRequest = {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly resumedBy: "nothing" | "cursor" | "since";
  readonly sinceMs: number | null;
};

/**
 * Where a record's bytes name its place in the source's own gapless numbering (property path inside the JSON).
 * The pipeline reads it after decode; ingest never parses a record.
 */
export type GapIdentity = {
  readonly topic: readonly string[];
  readonly partition: readonly string[];
  readonly offset: readonly string[];
};

type SourceBase = {
  /** Folder name below sources/. */
  readonly name: string;
  /** True where this source serves what the user asked for. */
  readonly serves: (spec: SourceSpec) => boolean;
  /** Null where the source numbers nothing, so that no hole can be seen. */
  readonly gapIdentity: GapIdentity | null;
};

/** A source reached over HTTP that frames by the SSE standard (sse/). */
export type StreamSource = SourceBase & {
  readonly framing: "sse";
  /** The request for one attempt. Never sends an id that the source's server would refuse or that could skip a record. */
  readonly request: (spec: SourceSpec & { kind: "sse" }, ask: ResumeAsk) => SourceRequest;
  /**
   * The position behind a batch: `ids` are its records' ids in order, `serverTimeMs` the source's clock when the newest came.
   * Ids that cannot be understood change nothing. Null only while nothing at all is known.
   */
  readonly positionAfter: (
    position: string | null,
    ids: readonly string[],
    serverTimeMs: number,
  ) => string | null;
  /** Newest time the position stands for, ms; null when it holds none. Asks are refused when older than this minus the dedup horizon. */
  readonly newestTimeMs: (position: string | null) => number | null;
};

/** A source that reads a recording once, from first to last record. */
export type RecordingSource = SourceBase & {
  readonly framing: "file";
  /** Opens the recording behind `position`. Rejects with `source-file-unreadable`. Must be closed. */
  readonly open: (path: string, position: string | null, limits: FrameLimits) => Promise<RecordingReader>;
};

/** Anything records can come from. A new source is one folder below sources/ and one line in sources/registry.ts. */
export type Source = StreamSource | RecordingSource;

/** Limits that hold for every frame, whatever its source. */
export type FrameLimits = {
  /** Above this many bytes a frame becomes oversized. */
  readonly capBytes: number;
  /** Data bytes kept of an oversized frame. */
  readonly keepBytes: number;
};

/** Reads a recording piece by piece, so that memory does not depend on its size. */
export type RecordingReader = {
  /** The next frames in order; empty only for a piece that completes none; null at the end of the file. */
  readonly read: () => Promise<readonly ReceivedFrame[] | null>;
  /** Frames cut at the end of the file and frames without data so far. */
  readonly dropped: () => { readonly cutFrames: number; readonly emptyFrames: number };
  readonly close: () => Promise<void>;
};
