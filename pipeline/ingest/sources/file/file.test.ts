import { execFileSync } from "node:child_process";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { describe, expect, test } from "vitest";
import { eventually, fileSpec, startIngest, temporaryFolder } from "../../ingest-harness.test-support.ts";
import type { ReceivedFrame } from "../../source-contract.ts";
import { file } from "./file.ts";

const LIMITS = { capBytes: 1_000_000, keepBytes: 1_000 };

async function readAll(
  path: string,
  position: string | null = null,
  limits = LIMITS,
): Promise<readonly ReceivedFrame[]> {
  const reader = await file.open(path, position, limits);
  try {
    const all: ReceivedFrame[] = [];
    for (let frames = await reader.read(); frames !== null; frames = await reader.read()) all.push(...frames);
    return all;
  } finally {
    await reader.close();
  }
}
const textsOf = (frames: readonly ReceivedFrame[]): readonly string[] =>
  frames.map(({ data }) => Buffer.from(data).toString());

function write(content: string | Buffer): string {
  const path = join(temporaryFolder(), "recording");
  writeFileSync(path, content);
  return path;
}

const RECORDS = Array.from({ length: 300 }, (_, n) =>
  JSON.stringify({ n, text: `é"[{,}] \\" ${"x".repeat(n * 7)}` }),
);
const FORMS: Readonly<Record<string, string>> = {
  lines: `${RECORDS.join("\n")}\n`,
  "lines with CR LF, a byte order mark, blank lines and no end": `\uFEFF${RECORDS.join("\r\n\r\n")}`,
  "a JSON array": `[${RECORDS.join(",")}]`,
  "a JSON array over lines": `[\n  ${RECORDS.join(",\n  ")}\n]\n`,
  "raw SSE": RECORDS.map((data, n) => `event: message\nid: ${n}\ndata: ${data}\n\n`).join(""),
};

describe("every form gives every record, and goes on behind any of them", () => {
  for (const [form, text] of Object.entries(FORMS)) {
    for (const [packing, content] of [
      ["plain", Buffer.from(text)],
      ["gzip", gzipSync(text)],
    ] as const) {
      test(`${form}, ${packing}`, async () => {
        const path = write(content);
        const all = await readAll(path);
        expect(textsOf(all)).toEqual(RECORDS);
        for (const n of [0, 1, 150, 298, 299]) {
          const rest = await readAll(path, all[n]?.position ?? null);
          expect(textsOf(rest)).toEqual(RECORDS.slice(n + 1));
          expect(rest.at(-1)?.position ?? all[n]?.position).toBe(all.at(-1)?.position);
        }
      });
    }
  }
});

test("a document over several lines is one record", async () => {
  const text = JSON.stringify({ a: { b: [1, 2] } }, null, 2);
  expect(textsOf(await readAll(write(`${text}\n`)))).toEqual([text]);
});

test("bad lines are records like any other and harm no neighbour", async () => {
  const lines = ['{"half":', '{"ok":1}', "not json at all", "]", '"', '{"ok":2}'];
  expect(textsOf(await readAll(write(lines.join("\n"))))).toEqual(lines);
});

test("a record above the cap is kept as oversized", async () => {
  const frames = await readAll(write(`{"a":1}\n${"z".repeat(5_000)}\n{"a":2}\n`), null, {
    capBytes: 2_000,
    keepBytes: 100,
  });
  expect(frames.map(({ kind, data }) => [kind, data.length])).toEqual([
    ["event", 7],
    ["oversized", 100],
    ["event", 7],
  ]);
  expect(JSON.parse(frames[1]?.detail ?? "")).toMatchObject({ lengthBytes: 5_000 });
});

test("an empty file has no records", async () => {
  expect(await readAll(write(""))).toEqual([]);
});

test.skipIf(process.platform === "win32").each(["/dev/zero", "/dev", "a pipe"])(
  "%s is refused at once, since it cannot be read again",
  async (what) => {
    let path = what;
    if (what === "a pipe") {
      path = join(temporaryFolder(), "pipe");
      execFileSync("mkfifo", [path]);
    }
    await expect(readAll(path)).rejects.toMatchObject({
      code: "source-file-unreadable",
      message: expect.stringContaining("folder, pipe or device"),
    });
  },
);

test("a missing file, a cut gzip and a file that became shorter are unreadable, not a crash", async () => {
  const unreadable = { code: "source-file-unreadable" };
  await expect(readAll(join(temporaryFolder(), "none"))).rejects.toMatchObject(unreadable);
  const zipped = gzipSync(FORMS["lines"] ?? "");
  await expect(readAll(write(zipped.subarray(0, zipped.length - 20)))).rejects.toMatchObject(unreadable);
  await expect(readAll(write("{}\n"), '{"records":9,"bytes":900}')).rejects.toMatchObject(unreadable);
});

describe("through ingest", () => {
  test("the whole file is durable when the end is told, and a second start adds nothing", async () => {
    const path = write(FORMS["lines"] ?? "");
    const first = startIngest(fileSpec(path));
    await expect(first.loop.finished).resolves.toBe("end-of-source");
    expect(first.texts()).toEqual(RECORDS);
    expect(first.loop.telemetry().connection.state).toBe("ended");
    await first.stop();
    const second = startIngest(fileSpec(path), { folder: first.folder });
    await expect(second.loop.finished).resolves.toBe("end-of-source");
    expect(second.texts()).toEqual(RECORDS);
  });

  test("a pause stops between records and goes on with the next", async () => {
    const big = Array.from({ length: 20_000 }, (_, n) => `{"n":${n}}`);
    const ingest = startIngest(fileSpec(write(big.join("\n"))));
    await eventually(() => expect(ingest.loop.telemetry().appended).toBeGreaterThan(1));
    ingest.loop.pause();
    ingest.loop.resume();
    await ingest.loop.finished;
    expect(ingest.texts()).toEqual(big);
  });

  test("an unreadable file is a failed source that says what to do, and can be tried again", async () => {
    const path = join(temporaryFolder(), "late");
    const ingest = startIngest(fileSpec(path));
    await eventually(() => expect(ingest.loop.telemetry().connection).toMatchObject({ state: "failed" }));
    writeFileSync(path, '{"n":1}\n');
    ingest.loop.resume();
    await ingest.loop.finished;
    expect(ingest.texts()).toEqual(['{"n":1}']);
  });
});

const SSE_RECORDING = "../shared/samples/dlw_2022-12-11_recentchange.sse.txt";
test.skipIf(!existsSync(SSE_RECORDING))(
  "the recorded stream of 2022 gives 2 records and one counted cut frame",
  async () => {
    const ingest = startIngest(fileSpec(SSE_RECORDING));
    await ingest.loop.finished;
    expect(ingest.texts()).toHaveLength(2);
    expect(ingest.writer.counters()).toMatchObject({ cutFrames: 1 });
    const third = /id: (.*)\ndata: (?!.*\n\n)/s.exec(readFileSync(SSE_RECORDING, "utf8"));
    expect(third).not.toBeNull();
  },
);

const SAMPLES = [
  ["editgroups_2018_recentchange_small_cases.ndjson", 16],
  ["editgroups_2018-03_recentchange_qs_batch_with_reverts.ndjson", 1_789],
  ["arvindp25_2025-05-03_recentchange.ndjson", 144],
  ["timescale_2020_recentchange.json", 1],
  ["cjmatta_2019-03-04_recentchange.json", 1],
  ["samza_2014-05_irc_wikipedia-raw.ndjson", 1_000],
  ["hftbacktest_2024-08-09_binance_spot_btcusdt_trade_only.ws.txt.gz", 19_904],
] as const;
for (const [name, count] of SAMPLES) {
  const path = `../shared/samples/${name}`;
  test.skipIf(!existsSync(path))(`${name} gives ${count} records`, async () => {
    expect(await readAll(path)).toHaveLength(count);
  });
}
