import { describe, expect, test, vi } from "vitest";
import { AppError } from "#storage/model/errors.ts";
import type { LogWriter } from "#storage/model/log.ts";
import { AppendBuffer, type BufferedRecord } from "./append-buffer.ts";
import { eventually, sseSpec, startIngest } from "./ingest-harness.test-support.ts";
import { begin, frame, idAfter, startTestFeed } from "./test-feed.test-support.ts";

const LIMITS = { groupCommitMs: 60_000, groupCommitRecords: 3, bufferLimitBytes: 1_000_000 };

function item(text: string): BufferedRecord {
  const record = {
    kind: "event",
    stream: "message",
    sourceId: "",
    receivedTimeMs: 1,
    serverOffsetMs: null,
    data: Buffer.from(text),
    detail: null,
  } as const;
  return { record, position: null };
}

type Rig = {
  readonly buffer: AppendBuffer;
  readonly written: string[][];
  readonly held: (string | null)[];
  failWith: AppError | null;
};

function createRig(limits = LIMITS): Rig {
  const rig: Rig = {
    written: [],
    held: [],
    failWith: null,
    buffer: new AppendBuffer({
      limits: () => limits,
      write: (batch) => {
        if (rig.failWith !== null) throw rig.failWith;
        rig.written.push(batch.map(({ record }) => Buffer.from(record.data).toString()));
      },
      onHeld: (error) => rig.held.push(error?.code ?? null),
      onFatal: (error) => rig.held.push(`fatal: ${String(error)}`),
    }),
  };
  return rig;
}

describe("group commit", () => {
  test("writes when the group is full", () => {
    const { buffer, written } = createRig();
    for (const text of ["a", "b", "c", "d"]) buffer.add(item(text));
    expect(written).toEqual([["a", "b", "c"]]);
    buffer.close();
    expect(written).toEqual([["a", "b", "c"], ["d"]]);
  });

  test("writes when the oldest record waited long enough", () => {
    vi.useFakeTimers();
    try {
      const { buffer, written } = createRig({ ...LIMITS, groupCommitMs: 100 });
      buffer.add(item("a"));
      vi.advanceTimersByTime(60);
      buffer.add(item("b"));
      expect(written).toEqual([]);
      vi.advanceTimersByTime(40);
      expect(written).toEqual([["a", "b"]]);
    } finally {
      vi.useRealTimers();
    }
  });
});

describe("a log that cannot be written", () => {
  test("keeps everything in order, makes the source wait, tells it once, and goes on by itself", () => {
    vi.useFakeTimers();
    try {
      const rig = createRig();
      rig.failWith = new AppError("disk-full", "no space");
      for (const text of ["a", "b", "c", "d", "e", "f", "g"]) rig.buffer.add(item(text));
      expect(rig.buffer.room()).not.toBeNull();
      vi.advanceTimersByTime(3_000);
      expect(rig.held).toEqual(["disk-full"]);
      rig.failWith = null;
      vi.advanceTimersByTime(5_000);
      expect(rig.written).toEqual([["a", "b", "c", "d", "e", "f", "g"]]);
      expect(rig.held).toEqual(["disk-full", null]);
      expect(rig.buffer.room()).toBeNull();
    } finally {
      vi.useRealTimers();
    }
  });

  test("for good ends the worker instead of trying for ever", () => {
    const rig = createRig();
    rig.failWith = new AppError("file-replaced", "another file");
    for (const text of ["a", "b", "c"]) rig.buffer.add(item(text));
    expect(rig.held).toEqual(["fatal: AppError: another file"]);
  });
});

test("a full disk stops the socket, loses nothing, and takes nothing twice", async () => {
  const total = 3_000;
  const filler = "x".repeat(2_000);
  let sent = 0;
  const feed = await startTestFeed((connection) => {
    const response = begin(connection);
    const pump = (): void => {
      while (sent < total) {
        sent += 1;
        if (response.write(frame(idAfter(Date.now()), `${sent} ${filler}`))) continue;
        response.once("drain", pump);
        return;
      }
    };
    pump();
  });
  let isFull = true;
  const wrapWriter = (writer: LogWriter): LogWriter => ({
    ...bindWriter(writer),
    append: (records, cursor, counters) => {
      if (isFull && records.length > 0) throw new AppError("disk-full", "no space left for the log");
      return writer.append(records, cursor, counters);
    },
  });
  const ingest = startIngest(sseSpec(feed.url), { wrapWriter, ingest: { bufferLimitBytes: 65_536 } });
  await eventually(() => expect(ingest.lines.join()).toContain("no space left"));
  expect(ingest.loop.telemetry().bufferedBytes).toBeLessThan(65_536 * 4);
  isFull = false;
  await eventually(() => expect(ingest.loop.telemetry().appended).toBeGreaterThan(total));
  expect(ingest.texts().map((text) => Number(text.split(" ")[0]))).toEqual(
    Array.from({ length: total }, (_, i) => i + 1),
  );
  expect(feed.requests).toHaveLength(1);
});

function bindWriter(writer: LogWriter): LogWriter {
  const { head, cursor, counters, settings, append, changeSettings, rotateIfDue, applyRetention, close } =
    writer;
  return { head, cursor, counters, settings, append, changeSettings, rotateIfDue, applyRetention, close };
}
