import { existsSync, readFileSync } from "node:fs";
import { createHash } from "node:crypto";
import { describe, expect, test } from "vitest";
import { parseChunks } from "./parse-chunks.test-support.ts";

const LIMITS = { capBytes: 10_000, keepBytes: 1_000 };
const b = (text: string): Buffer => Buffer.from(text);

describe("C05: the cap counts a frame, not a chunk", () => {
  for (const nl of ["\n", "\r\n"]) {
    test(`80 frames of 150 kB, their line ends (${JSON.stringify(nl)}) in chunks of their own, are 80 events`, async () => {
      const text = ["event: message", "id: 1", `data: ${"x".repeat(150_000)}`, "", ""].join(nl);
      const end = nl === "\n" ? 1 : 3;
      const chunks = Array.from({ length: 80 }, () => [b(text.slice(0, -end)), b(text.slice(-end))]).flat();
      const { frames } = await parseChunks(chunks);
      expect(frames).toHaveLength(80);
      expect(new Set(frames.map(({ kind, data }) => `${kind} ${data.length}`))).toEqual(
        new Set(["event 150000"]),
      );
    });
  }
});

describe("an oversized frame that has no end", () => {
  test("is kept when the connection ends, without its id, with what came of it counted and hashed", async () => {
    const body = "y".repeat(12_000);
    const { frames, end } = await parseChunks([b("id: 1\ndata: a\n\nid: 2\ndata: "), b(body)], LIMITS);
    expect(frames).toHaveLength(2);
    expect(frames[1]).toMatchObject({ kind: "oversized", sourceId: "1" });
    expect(frames[1]?.data).toHaveLength(1_000);
    const sha256 = createHash("sha256").update(body).digest("hex");
    expect(JSON.parse(frames[1]?.detail ?? "")).toEqual({ lengthBytes: 12_000, sha256 });
    expect(end).toMatchObject({ isCut: false, isEndless: false });
  });

  test("is given up after 64 times the cap, so that one event cannot hold the connection for ever", async () => {
    let sent = 0;
    function* endless(): Generator<Buffer> {
      yield b("data: ");
      for (; ; sent += 10_000) yield Buffer.alloc(10_000, "z");
    }
    const { frames, end } = await parseChunks(endless(), LIMITS);
    expect(end.isEndless).toBe(true);
    expect(frames).toMatchObject([{ kind: "oversized" }]);
    expect(sent).toBeLessThan(65 * LIMITS.capBytes);
  });

  test("as a comment is no frame and is read away in constant memory", async () => {
    const lines = Array.from({ length: 40 }, () =>
      Buffer.concat([b(":"), Buffer.alloc(1_000, "c"), b("\n")]),
    );
    const { frames, emptyFrames, end } = await parseChunks([...lines, b("\ndata: x\n\n")], LIMITS);
    expect(frames).toMatchObject([{ kind: "event" }]);
    expect([emptyFrames, end.isCut]).toEqual([0, false]);
  });
});

test("a frame of single bytes is one frame", async () => {
  const frame = b("event: m\r\nid: 7\r\ndata: é\r\n\r\n");
  const { frames } = await parseChunks(Array.from(frame, (_, i) => frame.subarray(i, i + 1)));
  expect(frames).toMatchObject([{ stream: "m", sourceId: "7" }]);
  expect(Buffer.from(frames[0]?.data ?? []).toString()).toBe("é");
});

test("every event type is delivered, also those that an EventSource uses itself", async () => {
  const types = ["message", "error", "open", "x-new", "été"];
  const { frames } = await parseChunks([b(types.map((type) => `event: ${type}\ndata: 1\n\n`).join(""))]);
  expect(frames.map(({ stream }) => stream)).toEqual(types);
});

test("bytes that are no UTF-8 are kept as they came", async () => {
  const data = Buffer.from([0x7b, 0xff, 0xfe, 0xc3, 0x28, 0xed, 0xa0, 0x80, 0x00, 0x7d]);
  const { frames } = await parseChunks([b("data: "), data, b("\n\n")]);
  expect(Buffer.from(frames[0]?.data ?? [])).toEqual(data);
});

test("a sink that fails ends the stream with its error", async () => {
  const { parseFrames } = await import("./frame-parser.ts");
  const parsed = parseFrames({ read: async () => b("data: 1\n\n") }, LIMITS, {
    take: () => {
      throw new Error("the log is gone");
    },
    takeEmpty: () => undefined,
  });
  await expect(parsed).rejects.toThrow("the log is gone");
});

const RECORDING = "../shared/samples/dlw_2022-12-11_recentchange.sse.txt";
test.skipIf(!existsSync(RECORDING))(
  "the recorded stream of 2022 has 2 records; its third frame is dropped with its id",
  async () => {
    const { frames, end } = await parseChunks([readFileSync(RECORDING)]);
    expect(frames).toHaveLength(2);
    expect(end.isCut).toBe(true);
    for (const { data } of frames) expect(Buffer.from(data).toString()).toMatch(/^\{.*\}$/);
  },
);
