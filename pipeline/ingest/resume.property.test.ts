import { expect, test } from "vitest";
import { eventually, sseSpec, startIngest } from "./ingest-harness.test-support.ts";
import { createRandom } from "./random.test-support.ts";
import { begin, frame, idAfter, startTestFeed } from "./test-feed.test-support.ts";

const SEED = Number(process.env["HIGHWATER_SEED"] ?? "20261130");
const CUTS = 200;

/** Kafka times of one partition: 30 a second, not sorted: a third is stamped up to 3 s before its neighbours. */
function kafkaTimes(count: number, from: number, random: () => number): readonly number[] {
  return Array.from({ length: count }, (_, i) =>
    Math.round(from + i * 33 - (random() < 0.33 ? random() * 3_000 : 0)),
  );
}

/** Kafka's offsets-for-times: the earliest message stamped at or after `time`; the end when there is none. */
function offsetForTime(times: readonly number[], time: number): number {
  const found = times.findIndex((stamp) => stamp >= time);
  return found === -1 ? times.length : found;
}

/** How many new messages each connection may bring before it is cut. */
function cutPlan(random: () => number): readonly number[] {
  return Array.from({ length: CUTS }, () => 1 + Math.floor(random() * 20));
}

test(`200 forced cuts lose nothing, though times inside the partition are not sorted (seed ${SEED})`, async () => {
  const random = createRandom(SEED);
  const plan = cutPlan(random);
  const total = plan.reduce((sum, count) => sum + count, 0);
  const times = kafkaTimes(total, Date.now() - 3_600_000, random);
  let served = 0;
  const feed = await startTestFeed((connection) => {
    const header = connection.request.headers["last-event-id"];
    const start = typeof header === "string" ? offsetForTime(times, eqiadTime(header)) : 0;
    // A message that the resume skips is lost for good: it is never served again, so `served` may jump.
    served = Math.max(served, start);
    const end = Math.min(total, served + (plan[connection.number - 1] ?? total));
    const response = begin(connection);
    for (let i = start; i < end; i += 1) response.write(frame(idAfter(times[i] ?? 0), `{"n":${i}}`));
    served = end;
    if (connection.number > CUTS) return;
    // Every third cut falls inside the next frame; it must be dropped with its id and come again.
    if (connection.number % 3 === 0)
      response.write(`event: message\nid: ${idAfter(times.at(-1) ?? 0)}\ndata: {"n":`);
    response.end(() => response.destroy());
  });
  const ingest = startIngest(sseSpec(feed.url), { ingest: { resumeRewindMs: 1_000 } });
  await eventually(() => expect(ingest.loop.telemetry().connections).toBeGreaterThan(CUTS));
  await eventually(() => expect(new Set(ingest.texts()).size).toBe(total));
  const { cutFrames } = ingest.loop.telemetry();
  await ingest.stop();
  const ids = new Set(ingest.texts());
  for (let i = 0; i < total; i += 1) expect(ids.has(`{"n":${i}}`), `message ${i}`).toBe(true);
  expect(feed.mostAtOnce()).toBe(1);
  expect(cutFrames).toBe(Math.floor(CUTS / 3));
});

test(`sending the last id back unchanged loses messages on the same stream and the same cuts (seed ${SEED})`, () => {
  const random = createRandom(SEED);
  const plan = cutPlan(random);
  const total = plan.reduce((sum, count) => sum + count, 0);
  const times = kafkaTimes(total, 1_780_000_000_000, random);
  const got = new Set<number>();
  let next = 0;
  let served = 0;
  for (const count of plan) {
    served = Math.max(served, next);
    const end = Math.min(total, served + count);
    for (let i = next; i < end; i += 1) got.add(i);
    served = end;
    next = offsetForTime(times, (times[end - 1] ?? 0) + 1);
  }
  expect(got.size).toBeLessThan(total);
});

function eqiadTime(header: string): number {
  const match = /"topic":"eqiad[^}]*"timestamp":(\d+)/.exec(header);
  if (match?.[1] === undefined) throw new Error(`no time in ${header}`);
  return Number(match[1]);
}
