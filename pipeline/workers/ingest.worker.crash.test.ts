import { fork, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdirSync } from "node:fs";
import { dirname, join } from "node:path";
import Database from "better-sqlite3";
import { describe, expect, onTestFinished, test } from "vitest";
import { dataFolderAt } from "#storage/files/data-folder.ts";
import { openLogReader } from "#storage/log/log-reader.ts";
import { NO_OFFSET, offsetAfter, toOffset, toSourceName } from "#storage/model/brand.ts";
import type { FailpointName } from "#storage/model/failpoints.ts";
import { eventually, FAST, settingsWith, temporaryFolder } from "../ingest/ingest-harness.test-support.ts";
import { createRandom } from "../ingest/random.test-support.ts";
import { begin, frame, idAfter, startTestFeed, type TestFeed } from "../ingest/test-feed.test-support.ts";
import type { FromWorker, ToWorker } from "../protocol/worker-messages.ts";

const WORKER = join(import.meta.dirname, "ingest.worker.ts");
const SOURCE = toSourceName("crash");
/** Nobody imports from tests/, so the seed is read here; HIGHWATER_SEED repeats a run, as everywhere. */
const SEED = Number(process.env["HIGHWATER_SEED"] ?? Date.now() % 1_000_000);

type Worker = {
  readonly child: ChildProcess;
  readonly messages: FromWorker[];
  readonly send: (message: ToWorker) => void;
  /** Kills it as a power cut would, and waits until it is gone. */
  readonly kill: () => Promise<void>;
};

function startWorker(folder: string, url: string): Worker {
  const child = fork(WORKER, [], { stdio: ["ignore", "inherit", "inherit", "ipc"] });
  const messages: FromWorker[] = [];
  child.on("message", (message: FromWorker) => messages.push(message));
  const send = (message: ToWorker): void => void child.send(message);
  const kill = async (): Promise<void> => {
    if (child.exitCode !== null || child.signalCode !== null) return;
    const gone = once(child, "exit");
    child.kill("SIGKILL");
    await gone;
  };
  onTestFinished(kill);
  send({
    type: "start",
    worker: "ingest",
    dataFolder: folder,
    source: { kind: "sse", source: SOURCE, url, stream: "mediawiki.recentchange" },
    settings: settingsWith({ ...FAST, groupCommitRecords: 20 }),
    hasSettingsWish: true,
    seenHead: 0,
    stopAfter: { events: null },
  });
  return { child, messages, send, kill };
}

/** Numbers 1 to `total`, a Kafka time each ms; resumes as EventStreams does, at the first time not before the one sent. */
function startNumbers(total: number): Promise<TestFeed> {
  const t0 = Date.now() - 600_000;
  return startTestFeed((connection) => {
    const header = connection.request.headers["last-event-id"];
    const since = typeof header === "string" ? Number(/"timestamp":(\d+)/.exec(header)?.[1]) : 0;
    const response = begin(connection);
    let n = Math.max(1, since - t0);
    // Slowly, so that a failpoint and a random kill find it in the middle.
    const timer = setInterval(() => {
      for (let i = 0; i < 25 && n <= total; i += 1, n += 1) response.write(frame(idAfter(t0 + n), `${n}`));
    }, 2);
    response.on("close", () => clearInterval(timer));
  });
}

function readNumbers(folder: string): readonly number[] {
  const reader = openLogReader({ folder: join(folder, "log", SOURCE), source: SOURCE });
  try {
    const { records, toOffset: last } = reader.read(offsetAfter(NO_OFFSET), 1_000_000, 1_000_000_000);
    expect(last).toBe(reader.head());
    expect(records.map(({ offset }) => offset)).toEqual(records.map((_, i) => toOffset(i + 1)));
    return records.flatMap(({ kind, data }) =>
      kind === "event" ? [Number(Buffer.from(data).toString())] : [],
    );
  } finally {
    reader.close();
  }
}

const everyNumber = (total: number): ReadonlySet<number> =>
  new Set(Array.from({ length: total }, (_, i) => i + 1));

describe("SIGKILL of the ingest worker loses no record and leaves no hole in the offsets", () => {
  const points: readonly FailpointName[] = [
    "ingest-before-append",
    "ingest-in-append",
    "ingest-after-append",
  ];
  for (const name of points) {
    test(`at ${name}, twice, the second time after a resume`, async () => {
      const total = 2_000;
      const feed = await startNumbers(total);
      const folder = temporaryFolder();
      for (const [run, hit] of [5, 7].entries()) {
        const reportPath = join(folder, `report-${run}.json`);
        const worker = startWorker(folder, feed.url);
        worker.send({ type: "arm-failpoint", name, hit, reportPath });
        await eventually(() => expect(existsSync(reportPath)).toBe(true));
        await worker.kill();
      }
      startWorker(folder, feed.url);
      await eventually(() => expect(new Set(readNumbers(folder))).toEqual(everyNumber(total)), 60_000);
    });
  }

  test(`at 10 random moments (seed ${SEED})`, async () => {
    const random = createRandom(SEED);
    const total = 6_000;
    const feed = await startNumbers(total);
    const folder = temporaryFolder();
    for (let run = 0; run < 10; run += 1) {
      const worker = startWorker(folder, feed.url);
      await eventually(() => expect(worker.messages.some(({ type }) => type === "ready")).toBe(true));
      await new Promise((resolve) => setTimeout(resolve, random() * 60));
      await worker.kill();
    }
    startWorker(folder, feed.url);
    await eventually(() => expect(new Set(readNumbers(folder))).toEqual(everyNumber(total)), 60_000);
  });
});

test("a stop leaves everything received in the log, says so, and ends with code 0", async () => {
  const feed = await startNumbers(500);
  const folder = temporaryFolder();
  const worker = startWorker(folder, feed.url);
  await eventually(() =>
    expect(
      worker.messages.some(
        (message) =>
          message.type === "telemetry" &&
          message.telemetry.worker === "ingest" &&
          message.telemetry.connection.state === "open",
      ),
    ).toBe(true),
  );
  worker.send({ type: "stop" });
  const [code] = await once(worker.child, "exit");
  expect(code).toBe(0);
  expect(worker.messages.at(-1)).toEqual({ type: "finished", reason: "stopped" });
  const numbers = readNumbers(folder);
  expect(numbers).toEqual([...everyNumber(numbers.length)]);
});

test("a second worker on the folder is refused with the pid of the first", async () => {
  const feed = await startNumbers(10);
  const folder = temporaryFolder();
  const first = startWorker(folder, feed.url);
  await eventually(() => expect(first.messages.some(({ type }) => type === "ready")).toBe(true));
  const second = startWorker(folder, feed.url);
  await eventually(() =>
    expect(second.messages).toMatchObject([
      {
        type: "failed",
        error: { code: "writer-lock-held", message: expect.stringContaining(String(first.child.pid)) },
      },
    ]),
  );
});

test("a log that is lost while the lake is kept goes on from the lake's cursor, rewound", async () => {
  const feed = await startNumbers(10);
  const folder = temporaryFolder();
  const { catalog } = dataFolderAt(folder);
  mkdirSync(dirname(catalog), { recursive: true });
  const newestMs = Date.now() - 300_000;
  const lake = new Database(catalog);
  lake.exec(
    "CREATE TABLE hw_state (source TEXT, checkpoint BIGINT, source_cursor TEXT, max_event_time_us BIGINT, extra TEXT)",
  );
  lake
    .prepare("INSERT INTO hw_state VALUES (?, 500, ?, ?, '{}')")
    .run(SOURCE, idAfter(newestMs), newestMs * 1_000);
  lake.close();
  startWorker(folder, feed.url);
  await eventually(() => expect(feed.requests).not.toHaveLength(0));
  const sent = String(feed.requests[0]?.["last-event-id"]);
  const times = [...sent.matchAll(/"timestamp":(\d+)/g)].map((match) => Number(match[1]));
  expect(times).not.toHaveLength(0);
  for (const ms of times) {
    expect(ms).toBeLessThan(newestMs);
    expect(ms).toBeGreaterThan(newestMs - 60_000);
  }
});
