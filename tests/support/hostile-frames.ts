import { event, idOf } from "./invented-events.ts";

/** One frame of the fuzz: the bytes of its data field, and for a sound one its event's number. */
export type HostileFrame = { readonly data: Buffer; readonly kind: string; readonly sound: number | null };

type Maker = (random: () => number, i: number) => Buffer | string;

/** Line ends would end the data line; every other byte, NUL included, may stand in it. */
function oneLine(bytes: Buffer): Buffer {
  return Buffer.from(bytes.map((byte) => (byte === 10 || byte === 13 ? 32 : byte)));
}

function sound(i: number): string {
  return JSON.stringify(event(i, { comment: `marker ${i}` }));
}

function bytesFrom(random: () => number, length: number): Buffer {
  return Buffer.from(Array.from({ length }, () => Math.floor(random() * 256)));
}

function pick<T>(random: () => number, values: readonly [T, ...T[]]): T {
  return values[Math.floor(random() * values.length)] ?? values[0];
}

/** Replaces one value of a sound event's text by other JSON. */
function withValue(i: number, key: string, json: string): string {
  const marked = JSON.stringify(event(i, { [key]: "@@" }));
  return marked.replace('"@@"', json);
}

/** What is hostile, by name. Each frame carries its number, so that no two are equal. */
const MAKERS: Readonly<Record<string, Maker>> = {
  "random bytes": (random) => oneLine(bytesFrom(random, 1 + Math.floor(random() * 400))),
  "bad UTF-8 inside": (random, i) => {
    const text = Buffer.from(sound(i));
    const at = 20 + Math.floor(random() * (text.length - 40));
    return Buffer.concat([
      text.subarray(0, at),
      Buffer.from([0xc3, 0x28, 0xff, 0xed, 0xa0, 0x80]),
      text.subarray(at),
    ]);
  },
  "half JSON": (random, i) => {
    const text = sound(i);
    return text.slice(0, 1 + Math.floor(random() * (text.length - 2)));
  },
  "flipped bits": (random, i) => {
    const bytes = Buffer.from(sound(i));
    for (let flips = 0; flips < 3; flips += 1) {
      const at = Math.floor(random() * bytes.length);
      bytes.writeUInt8(bytes.readUInt8(at) ^ (1 << Math.floor(random() * 8)), at);
    }
    return oneLine(bytes);
  },
  "deep array": (random, i) => {
    const depth = pick(random, [100, 1_000, 20_000, 200_000]);
    return withValue(i, "log_params", "[".repeat(depth) + "]".repeat(depth));
  },
  "deep object": (random, i) => {
    const depth = pick(random, [100, 1_000, 20_000]);
    return withValue(i, "extra", `${'{"a":'.repeat(depth)}1${"}".repeat(depth)}`);
  },
  "unclosed nesting": (_random, i) => `${"[".repeat(50_000)}${i}`,
  "NUL in text": (_random, i) => sound(i).replace("marker", "mar\u0000ker"),
  "NUL escaped": (_random, i) => JSON.stringify(event(i, { title: `a\u0000b${i}`, user: "\u0000" })),
  "lone surrogates": (_random, i) => withValue(i, "comment", String.raw`"\ud800 ${i} \udfff\ud83d"`),
  "surrogate in the id": (_random, i) => JSON.stringify(event(i)).replace(idOf(i), String.raw`\ud800${i}`),
  "prototype keys": (_random, i) =>
    `{"__proto__":${sound(i)},"constructor":{"prototype":{"meta":1}},"hasOwnProperty":${i}}`,
  "prototype keys beside": (_random, i) =>
    sound(i).replace("{", '{"__proto__":{"type":"log","bot":true},"toString":1,"constructor":null,'),
  "repeated keys": (_random, i) => sound(i).replace("{", '{"meta":{"id":"first"},"timestamp":-5,"type":7,'),
  "repeated keys, broken last": (_random, i) => sound(i).replace(/\}$/, `,"meta":${i}}`),
  "1e400": (random, i) =>
    withValue(
      i,
      pick(random, ["timestamp", "id", "namespace", "length"]),
      pick(random, ["1e400", "-1e400", "1e-400"]),
    ),
  "huge integers": (random, i) =>
    withValue(
      i,
      pick(random, ["id", "timestamp", "namespace"]),
      pick(random, ["9007199254740993", "170141183460469231731687303715884105727", "-9223372036854775809"]),
    ),
  "odd numbers": (random, i) =>
    withValue(i, "timestamp", pick(random, ["-0", "1.5", "0", "NaN", "0x10", "1_000"])),
  "not an object": (random, i) =>
    pick(random, [`[${i}]`, `${i}`, `"${i}"`, `null ${i}`, `true${i}`, `{}${i}`, `//${i}`]),
  "wrong types everywhere": (_random, i) =>
    JSON.stringify({
      ...event(i),
      meta: [i],
      title: { a: 1 },
      user: 5,
      revision: "x",
      length: [],
      bot: "no",
    }),
  "hostile meta": (random, i) =>
    JSON.stringify(
      event(i, {
        meta: pick<Record<string, unknown>>(random, [
          { id: "" },
          { id: null },
          { id: ["x", i] },
          { id: `${"x".repeat(300_000)}${i}` },
          { topic: "x".repeat(100_000), partition: -1, offset: -5 },
          { dt: "not a date" },
          { domain: `canary\u202E${i}` },
          { partition: 1e308, offset: 9_007_199_254_740_991 },
        ]),
      }),
    ),
  "controls and bidi": (_random, i) =>
    JSON.stringify(
      event(i, { title: `\u202E\u0007\u001B[31m${i}\u2028\uFEFF`, user: "<img src=x onerror=alert(1)>" }),
    ),
  "very long text": (random, i) =>
    JSON.stringify(event(i, { comment: "é".repeat(1 + Math.floor(random() * 400_000)) })),
  "many keys": (_random, i) =>
    JSON.stringify({
      ...event(i),
      ...Object.fromEntries(Array.from({ length: 5_000 }, (_, k) => [`k${k}`, k])),
    }),
  "spaces only around": (_random, i) => `   \t ${sound(i)} \t  `,
  empty: (_random, i) => `${" ".repeat(1 + i)}`,
};

/** 25 MB in one line: above the frame cap, so it is kept as oversized. */
export function giantFrame(i: number, end: string): HostileFrame {
  const data = Buffer.from(withValue(i, "comment", `"${"g".repeat(25_000_000)}${end}"`));
  return { data, kind: "25 MB", sound: null };
}

/** `count` hostile frames with a sound event after every second one. Distinct bytes, by seed. */
export function hostileFrames(random: () => number, count: number): readonly HostileFrame[] {
  const kinds = Object.entries(MAKERS);
  const frames: HostileFrame[] = [];
  const seen = new Set<string>();
  let i = 0;
  while (frames.filter(({ sound: number }) => number === null).length < count) {
    i += 1;
    const [kind, make] = kinds[i % kinds.length] ?? kinds[0] ?? ["none", () => ""];
    const data = Buffer.from(make(random, i));
    const key = data.toString("latin1");
    if (seen.has(key)) continue;
    seen.add(key);
    frames.push({ data, kind, sound: null });
    if (i % 2 !== 0) continue;
    const number = 1_000_000 + i;
    frames.push({ data: Buffer.from(sound(number)), kind: "sound", sound: number });
  }
  return frames;
}
