import { describe, expect, test } from "vitest";
import { DEFAULT_RESULT_SETTINGS } from "#storage/model/settings.ts";
import type { LogRecord } from "#storage/model/record.ts";
import { decode } from "../decode/decode.ts";
import type { JsonObject, Verdict } from "../protocol/change.ts";
import { event, NOW_S, record } from "./events.test-support.ts";
import { RULES } from "./rules/registry.ts";
import { validate } from "./validate.ts";

type Input = string | Uint8Array | JsonObject;

function judge(input: Input, change: Partial<LogRecord> = {}): Verdict {
  const data = typeof input === "string" || input instanceof Uint8Array ? input : JSON.stringify(input);
  const made = record(data, change);
  return validate(made, decode(made.data), DEFAULT_RESULT_SETTINGS);
}

const bytes = (...values: number[]): Uint8Array => Uint8Array.from(values);
const received = NOW_S * 1_000;

/** The golden set (G08): bad records, each with the rule and the reason that must be given. */
const BAD: [expected: string, title: string, input: Input, change?: Partial<LogRecord>][] = [
  ["json/not-json", "nothing", ""],
  ["json/not-json", "half an object", '{"meta":{"id":"a"'],
  ["json/not-json", "a frame cut inside a string", JSON.stringify(event()).slice(0, 300)],
  ["json/not-json", "a trailing comma", '{"meta":{},}'],
  ["json/not-json", "two objects in one", `${JSON.stringify(event())}${JSON.stringify(event())}`],
  ["json/not-json", "single quotes", "{'meta':{}}"],
  ["json/not-json", "NaN", '{"meta":{},"id":NaN}'],
  ["json/not-json", "a raw NUL inside a string", '{"meta":{"id":"a\0"}}'],
  ["json/not-json", "a raw line break inside a string", '{"title":"a\nb"}'],
  ["json/not-json", "HTML of an error page", "<html><body>503</body></html>"],
  ["json/not-json", "raw gzip", bytes(0x1f, 0x8b, 8, 0, 0, 0, 0, 0)],
  ["json/not-json", "UTF-16", Buffer.from(JSON.stringify(event()), "utf16le")],
  ["json/not-an-object", "an array", "[]"],
  ["json/not-an-object", "a number", "42"],
  ["json/not-an-object", "null", "null"],
  ["json/not-an-object", "a text", '"edit"'],
  [
    "json/nested-too-deep",
    "200 levels of arrays",
    `{"meta":{},"log_params":${"[".repeat(200)}${"]".repeat(200)}}`,
  ],
  ["json/nested-too-deep", "a hundred thousand objects", `${'{"a":'.repeat(100_000)}1${"}".repeat(100_000)}`],
  [
    "oversized/frame-above-cap",
    "a frame above the cap",
    "{",
    { kind: "oversized", detail: '{"lengthBytes":9,"sha256":"x"}' },
  ],
  ["stream-error/error-frame", "the service's error event", '{"status":500}', { stream: "error" }],
  ["shape/missing-field", "no meta", event({ meta: null }) && '{"type":"edit","wiki":"enwiki"}'],
  ["shape/missing-field", "an empty object", "{}"],
  ["shape/missing-field", "meta only as a prototype", '{"__proto__":{"meta":{"id":"a"}}}'],
  ["shape/wrong-type", "meta null", event({ meta: null })],
  ["shape/wrong-type", "meta a list", event({ meta: [] })],
  ["shape/wrong-type", "id a number in meta", event({ meta: { id: 5 } })],
  ["shape/wrong-type", "dt a number", event({ meta: { dt: 1_796_040_000 } })],
  ["shape/wrong-type", "domain an object", event({ meta: { domain: {} } })],
  ["shape/wrong-type", "offset a text", event({ meta: { offset: "1000" } })],
  ["shape/wrong-type", "partition with a fraction", event({ meta: { partition: 0.5 } })],
  ["shape/wrong-type", "timestamp a text", event({ timestamp: "1796040000" })],
  ["shape/wrong-type", "timestamp with a fraction", event({ timestamp: NOW_S + 0.5 })],
  ["shape/wrong-type", "bot a number", event({ bot: 1 })],
  ["shape/wrong-type", "minor a text", event({ minor: "yes" })],
  ["shape/wrong-type", "patrolled a list", event({ patrolled: [] })],
  ["shape/wrong-type", "title a number", event({ title: 1984 })],
  ["shape/wrong-type", "title an object", event({ title: { text: "Tide" } })],
  ["shape/wrong-type", "comment a list", event({ comment: ["c"] })],
  ["shape/wrong-type", "user an object", event({ user: { name: "Ada" } })],
  ["shape/wrong-type", "namespace a text", event({ namespace: "0" })],
  ["shape/wrong-type", "wiki a number", event({ wiki: 1 })],
  ["shape/wrong-type", "type a boolean", event({ type: true })],
  ["shape/wrong-type", "length a number", event({ length: 20 })],
  ["shape/wrong-type", "length of texts", event({ length: { old: "10", new: "20" } })],
  ["shape/wrong-type", "revision a list", event({ revision: [100, 101] })],
  ["shape/wrong-type", "revision with a fraction", event({ revision: { old: 1, new: 1.5 } })],
  ["shape/wrong-type", "log_id a text", event({ log_id: "9" })],
  ["required-identity/missing-id", "no meta.id", event({ meta: { id: undefined } })],
  ["required-identity/missing-id", "meta.id null", event({ meta: { id: null } })],
  ["required-identity/missing-id", "meta.id empty", event({ meta: { id: "" } })],
  ["required-identity/missing-id", "an empty meta", '{"meta":{}}'],
  ["required-identity/unreadable-id", "a NUL in the id", event({ meta: { id: "a\0b" } })],
  ["required-identity/unreadable-id", "a lone surrogate in the id", '{"meta":{"id":"\\ud800"}}'],
  [
    "required-identity/unreadable-id",
    "broken UTF-8 in the id",
    Buffer.from('{"meta":{"id":"\xff"}}', "latin1"),
  ],
  ["required-identity/unreadable-id", "an id of 300 characters", event({ meta: { id: "x".repeat(300) } })],
  ["required-identity/missing-wiki", "no wiki", event({ wiki: undefined })],
  ["required-identity/missing-wiki", "wiki empty", event({ wiki: "" })],
  ["required-identity/unreadable-wiki", "a line break in the wiki", event({ wiki: "en\nwiki" })],
  ["required-identity/missing-type", "no type", event({ type: undefined })],
  ["required-identity/missing-type", "type null", event({ type: null })],
  ["required-identity/unreadable-type", "a control character in the type", event({ type: "ed\u0001it" })],
  [
    "event-time-present/event-time-missing",
    "neither timestamp nor dt",
    event({ timestamp: undefined, meta: { dt: undefined } }),
  ],
  [
    "event-time-present/event-time-unreadable",
    "dt of another form and no timestamp",
    event({ timestamp: null, meta: { dt: "17/09/2026 04:00" } }),
  ],
  [
    "event-time-present/event-time-unreadable",
    "dt without a zone",
    event({ timestamp: null, meta: { dt: "2026-11-30T12:00:00" } }),
  ],
  [
    "event-time-present/event-time-unreadable",
    "31 February",
    event({ timestamp: null, meta: { dt: "2026-02-31T12:00:00Z" } }),
  ],
  ["event-time-present/event-time-not-safe", "C09: 1e30", event({ timestamp: 1e30 })],
  ["event-time-present/event-time-too-old", "C09: -1", event({ timestamp: -1 })],
  ["event-time-present/event-time-too-old", "0", event({ timestamp: 0 })],
  ["event-time-present/event-time-too-old", "a second before Wikipedia", event({ timestamp: 979_516_799 })],
  [
    "event-time-present/event-time-out-of-range",
    "C09: the year 10000",
    event({ timestamp: 253_402_300_800 }),
  ],
  [
    "event-time-present/event-time-out-of-range",
    "milliseconds for seconds",
    event({ timestamp: NOW_S * 1_000 }),
  ],
  ["event-time-plausible/event-time-in-future", "C09: the year 2100", event({ timestamp: 4_102_444_800 })],
  ["event-time-plausible/event-time-in-future", "C44: two hours ahead", event({ timestamp: NOW_S + 7_200 })],
  [
    "event-time-plausible/event-time-in-future",
    "a second over the limit",
    event({ timestamp: NOW_S + 301 }),
    { receivedTimeMs: received },
  ],
  [
    "event-time-plausible/event-time-in-future",
    "over the limit by both clocks",
    event({ timestamp: NOW_S + 301 }),
    { receivedTimeMs: received, serverOffsetMs: 999 },
  ],
  ["safe-integers/integer-not-safe", "a revision beyond 2^53", event({ revision: { old: 1, new: 2 ** 60 } })],
  [
    "safe-integers/integer-not-safe",
    "an rc id beyond 2^53",
    `{"meta":{"id":"a"},"wiki":"w","type":"edit","timestamp":${NOW_S},"id":9007199254740993}`,
  ],
  ["safe-integers/integer-not-safe", "a source offset beyond 2^53", event({ meta: { offset: 1e20 } })],
  [
    "wiki-domain/domain-server-mismatch",
    "domain of one wiki, server of another",
    event({ meta: { domain: "de.wikipedia.org" } }),
  ],
  ["wiki-domain/wiki-family-mismatch", "a wiktionary's name on a wikipedia", event({ wiki: "enwiktionary" })],
  [
    "wiki-domain/wiki-family-mismatch",
    "a wikipedia's name on a wiktionary",
    event({ server_name: "en.wiktionary.org" }),
  ],
  ["wiki-domain/wiki-language-mismatch", "dewiki on en.wikipedia.org", event({ wiki: "dewiki" })],
  ["revision-consistency/revision-not-positive", "revision 0", event({ revision: { old: 0, new: 0 } })],
  [
    "revision-consistency/revision-not-positive",
    "a negative old revision",
    event({ revision: { old: -5, new: 7 } }),
  ],
  [
    "revision-consistency/revision-not-growing",
    "a revision below its parent",
    event({ revision: { old: 101, new: 100 } }),
  ],
  [
    "revision-consistency/revision-not-growing",
    "a revision that is its own parent",
    event({ revision: { old: 101, new: 101 } }),
  ],
  [
    "revision-consistency/new-page-with-old-revision",
    "a new page with a parent",
    event({ type: "new", revision: { old: 3, new: 7 } }),
  ],
  ["length-consistency/length-negative", "a negative length", event({ length: { old: 10, new: -1 } })],
  ["length-consistency/length-negative", "a negative old length", event({ length: { old: -10, new: 1 } })],
  [
    "length-consistency/new-page-with-old-length",
    "a new page that was long before",
    event({ type: "new", revision: { new: 7 }, length: { old: 5, new: 9 } }),
  ],
  ["log-params/log-params-scalar", "log_params a number", event({ type: "log", log_params: 7 })],
  ["log-params/log-params-scalar", "log_params a boolean", event({ type: "log", log_params: false })],
];

/** Odd, but good: not one may be blocked. */
const GOOD: [title: string, input: Input, change?: Partial<LogRecord>][] = [
  ["a plain edit", event()],
  ["the smallest event", { meta: { id: "a" }, wiki: "w", type: "edit", timestamp: NOW_S }],
  ["only meta.dt as time", event({ timestamp: undefined })],
  ["dt as 2018 wrote it", event({ timestamp: undefined, meta: { dt: "2026-11-30T12:00:00+00:00" } })],
  ["C09: an odd dt beside a timestamp", event({ meta: { dt: "17/09/2026 04:00" } })],
  ["C09: dt in 2099 beside a timestamp", event({ meta: { dt: "2099-01-01T00:00:00Z" } })],
  ["exactly at the limit of the future", event({ timestamp: NOW_S + 300 }), { receivedTimeMs: received }],
  [
    "a slow local clock, seen through the server's",
    event({ timestamp: NOW_S + 3_600 }),
    { receivedTimeMs: received, serverOffsetMs: 3_600_000 },
  ],
  [
    "ahead of the server, not of the local clock",
    event({ timestamp: NOW_S }),
    { receivedTimeMs: received, serverOffsetMs: -3_600_000 },
  ],
  ["an old event after downtime", event({ timestamp: NOW_S - 35 * 3_600 })],
  [
    "C11: unknown keys and a big revision id",
    event({ revert: { deep: [1, { a: null }] }, revision: { old: 5_000_000_000, new: 5_000_000_001 } }),
  ],
  ["C12: no user", event({ user: undefined })],
  ["C12: a temporary account", event({ user: "~2026-50211-05" })],
  [
    "nulls of 2018",
    event({ id: null, type: "new", length: { old: null, new: 5 }, revision: { old: null, new: 7 } }),
  ],
  [
    "a new page with 0 for none",
    event({ type: "new", length: { old: 0, new: 5 }, revision: { old: 0, new: 7 } }),
  ],
  ["an extension's numeric type", event({ type: "142" })],
  ["type as a number, as schema 1.0.1 allows", event({ type: 142 })],
  ["an unknown type", event({ type: "brand-new" })],
  ["log_params as an empty list", event({ type: "log", log_params: [] })],
  [
    "log_params as an object",
    event({ type: "log", log_params: { "4::target": "X", nested: { a: [1, "2"] } } }),
  ],
  ["log_params as a text", event({ type: "log", log_params: "a\nb" })],
  ["log_params null", event({ type: "log", log_params: null })],
  ["commons", event({ server_name: "commons.wikimedia.org", wiki: "commonswiki" })],
  ["wikidata", event({ server_name: "www.wikidata.org", wiki: "wikidatawiki" })],
  ["the old name of Belarusian", event({ server_name: "be-tarask.wikipedia.org", wiki: "be_x_oldwiki" })],
  ["wikisource without a language", event({ server_name: "wikisource.org", wiki: "sourceswiki" })],
  ["a test wiki", event({ server_name: "test2.wikipedia.org", wiki: "test2wiki" })],
  ["a wiki of nobody we know", event({ server_name: "xx.example.org", wiki: "xxwiki" })],
  ["no domain at all", event({ meta: { domain: undefined }, server_name: undefined })],
  ["an escaped NUL in the title", event({ title: "a\0b" })],
  ["a byte order mark", `\uFEFF${JSON.stringify(event())}`],
  [
    "hostile keys",
    `{"__proto__":{"x":1},"constructor":2,"meta":{"id":"a","__proto__":null},"wiki":"w","type":"edit","timestamp":${NOW_S}}`,
  ],
  [
    "a categorisation",
    event({ type: "categorize", length: undefined, revision: undefined, minor: undefined }),
  ],
];

describe("the golden set", () => {
  test.each(BAD)("%s for %s", (expected, _title, input, change) => {
    const verdict = judge(input, change);
    expect(verdict.valid ? "valid" : `${verdict.ruleId}/${verdict.reasonCode}`).toBe(expected);
    expect(() => JSON.parse(verdict.valid ? "" : verdict.trace) as unknown).not.toThrow();
  });

  test.each(GOOD)("lets %s pass", (_title, input, change) => {
    const verdict = judge(input, change);
    expect(verdict.valid ? "valid" : `${verdict.ruleId}/${verdict.reasonCode} ${verdict.trace}`).toBe(
      "valid",
    );
  });

  test("holds at least 60 bad records and every reason code of every rule", () => {
    expect(BAD.length).toBeGreaterThanOrEqual(60);
    const given = new Set(BAD.map(([expected]) => expected));
    const codes = RULES.flatMap((rule) => rule.reasonCodes.map((code) => `${rule.id}/${code}`));
    expect(codes.filter((code) => !given.has(code))).toEqual([]);
  });

  test("a rule that is switched off blocks nothing, one that may not be switched off still does", () => {
    const off = { ...DEFAULT_RESULT_SETTINGS, disabledRules: ["log-params", "required-identity"] };
    const scalar = record(JSON.stringify(event({ log_params: 7 })));
    expect(validate(scalar, decode(scalar.data), off).valid).toBe(true);
    const nameless = record(JSON.stringify(event({ meta: { id: null } })));
    expect(validate(nameless, decode(nameless.data), off).valid).toBe(false);
  });
});
