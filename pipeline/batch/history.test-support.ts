import fc from "fast-check";
import type { AppendRecord } from "#storage/model/record.ts";
import { DEFAULT_RESULT_SETTINGS } from "#storage/model/settings.ts";
import { event, NOW_S } from "../validate/events.test-support.ts";
import { logRecord, settingsRecordOf } from "./fake-log.test-support.ts";

/** Ids are few, so that duplicates, repeats behind the horizon and redrives of known ids are common. */
const ids = fc.integer({ min: 0, max: 80 });

/** Seconds that a step moves the feed's own time on: mostly a little, sometimes beyond windows and horizons. */
const steps = fc.oneof(
  { weight: 8, arbitrary: fc.integer({ min: 0, max: 5 }) },
  { weight: 1, arbitrary: fc.constantFrom(60, 119, 120, 121, 299, 300, 301) },
);
const agos = fc.oneof(
  { weight: 6, arbitrary: fc.integer({ min: 0, max: 30 }) },
  { weight: 2, arbitrary: fc.constantFrom(59, 60, 61, 119, 120, 121, 299, 300, 301, 600) },
  { weight: 1, arbitrary: fc.constantFrom(-299, -300, -301) },
);
const body = fc.record({
  id: ids,
  ago: agos,
  wiki: fc.constantFrom("xxwiki", "yywiki", "zzwiki"),
  user: fc.constantFrom("Ada", "Bo", "~2026-1-2", undefined),
  title: fc.constantFrom("Tide", "Ebb", "A\u{1F30A}", "A\uFFFD", undefined),
  type: fc.constantFrom("edit", "edit", "edit", "new", "log", "categorize", "142"),
  grows: fc.integer({ min: -50, max: 50 }),
});
const badBody = fc.constantFrom("{", '{"meta":{}}', "[]", "a\0b");
const settings = fc.record(
  {
    allowedLatenessMs: fc.constantFrom(0, 10_000, 120_000, 300_000),
    dedupHorizonMs: fc.constantFrom(1_000, 60_000, 120_000, 3_600_000),
    dedupMaxIds: fc.constantFrom(10, 20, 50),
    disabledRules: fc.constantFrom<string[]>([], ["event-time-plausible"], ["log-params"]),
    windows: fc.constantFrom(DEFAULT_RESULT_SETTINGS.windows, {
      editsPerMinuteMs: 30_000,
      topPagesMs: 60_000,
      userBytesMs: 2_000,
      latenessHistogramMs: 60_000,
    }),
  },
  { requiredKeys: [] },
);
const gapNote = fc.record({
  note: fc.constant("gap-asked"),
  topic: fc.constant("t"),
  partition: fc.constant(0),
  fromOffset: fc.integer({ min: 0, max: 60 }),
  toOffset: fc.integer({ min: 60, max: 200 }),
});
const lossNote = fc.oneof(
  fc.record({
    note: fc.constant("log-tail-lost"),
    fromOffset: fc.integer({ min: 1, max: 60 }),
    toOffset: fc.integer({ min: 60, max: 90 }),
  }),
  fc.record({
    note: fc.constant("resume-refused"),
    status: fc.constant(400),
    sinceMs: fc.integer({ min: 0, max: 1_000 }),
    detail: fc.constant(""),
  }),
);

const step = fc.oneof(
  {
    weight: 40,
    arbitrary: fc.record({
      is: fc.constant("event" as const),
      body,
      step: steps,
      skip: fc.constantFrom(1, 1, 1, 2),
    }),
  },
  { weight: 4, arbitrary: fc.record({ is: fc.constant("bad" as const), text: badBody }) },
  { weight: 4, arbitrary: fc.record({ is: fc.constantFrom("redrive" as const, "repair" as const), body }) },
  { weight: 2, arbitrary: fc.record({ is: fc.constant("redrive-bad" as const), text: badBody }) },
  { weight: 3, arbitrary: fc.record({ is: fc.constant("settings" as const), settings }) },
  {
    weight: 1,
    arbitrary: fc.record({ is: fc.constant("note" as const), body: fc.oneof(gapNote, gapNote, lossNote) }),
  },
  { weight: 1, arbitrary: fc.record({ is: fc.constant("canary" as const) }) },
  { weight: 1, arbitrary: fc.record({ is: fc.constant("unreadable" as const) }) },
  { weight: 1, arbitrary: fc.record({ is: fc.constant("oversized" as const) }) },
);

/** Logs with everything that can be in one: duplicates, late, future ± 1 s of the limit, settings, redrive, repair, holes. */
export const histories: fc.Arbitrary<(AppendRecord | null)[]> = fc
  .array(step, { minLength: 1, maxLength: 150, size: "max" })
  .map((list) => {
    let nowS = NOW_S;
    let sourceOffset = 0;
    const received = (): { receivedTimeMs: number } => ({ receivedTimeMs: nowS * 1_000 });
    return list.map((each): AppendRecord | null => {
      switch (each.is) {
        case "event":
          nowS += each.step;
          sourceOffset += each.skip;
          return logRecord(eventText(each.body, nowS, sourceOffset), {
            ...received(),
            sourceId: `c${sourceOffset}`,
          });
        case "bad":
          return logRecord(each.text, { ...received(), sourceId: "bad" });
        case "redrive":
        case "repair":
          return logRecord(eventText(each.body, nowS, Math.max(1, sourceOffset - (each.body.id % 5))), {
            ...received(),
            kind: each.is,
          });
        case "redrive-bad":
          return logRecord(each.text, { ...received(), kind: "redrive" });
        case "settings":
          return { ...settingsRecordOf(each.settings), ...received() };
        case "note":
          return logRecord(JSON.stringify(each.body), { ...received(), kind: "note", stream: "" });
        case "canary":
          return logRecord('{"meta":{"domain":"canary","id":"k"}}', received());
        case "oversized":
          return logRecord('{"a', {
            ...received(),
            kind: "oversized",
            detail: '{"lengthBytes":99,"sha256":"x"}',
          });
        case "unreadable":
          return null;
      }
    });
  });

type Body = typeof body extends fc.Arbitrary<infer T> ? T : never;

function eventText(made: Body, nowS: number, sourceOffset: number): string {
  const meta = {
    id: `id-${made.id}`,
    topic: "t",
    partition: 0,
    offset: sourceOffset,
    domain: "xx.example.org",
  };
  return JSON.stringify(
    event({
      meta,
      timestamp: nowS - made.ago,
      wiki: made.wiki,
      user: made.user,
      title: made.title,
      type: made.type,
      length: { old: 100, new: 100 + made.grows },
      server_name: "xx.example.org",
    }),
  );
}
