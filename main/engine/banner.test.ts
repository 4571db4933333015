import { expect, test } from "vitest";
import { DEFAULT_RESULT_SETTINGS } from "#storage/model/settings.ts";
import { exampleIngest, examplePipeline, exampleWorker } from "../bridge/status.test-support.ts";
import type { Banner } from "../contract/app-status.ts";
import { listBanners } from "./banner.ts";
import { type BannerInput, NO_FINDINGS } from "./banner-input.ts";

const CALM: BannerInput = {
  mode: "live",
  fellBackBecause: null,
  unreachable: null,
  settingsFile: { path: "/hw/workspace/settings.json", problem: null, changes: 0 },
  hasContact: true,
  workers: [exampleWorker("ingest", 1), exampleWorker("pipeline", 2)],
  ingest: exampleIngest(),
  pipeline: examplePipeline(),
  findings: { ...NO_FINDINGS, startCheckpoint: 100 },
};

function ids(more: Partial<BannerInput>): readonly string[] {
  return listBanners({ ...CALM, ...more }).map(({ id }) => id);
}

function only(more: Partial<BannerInput>): Banner {
  const banners = listBanners({ ...CALM, ...more });
  expect(banners).toHaveLength(1);
  const [banner] = banners;
  if (banner === undefined) throw new Error("no banner");
  return banner;
}

const GAVE_UP = exampleWorker("pipeline", 2, {
  phase: {
    state: "gave-up",
    error: { code: "worker-gave-up", kind: "user", message: "again and again", details: {} },
  },
});
const REFUSED = exampleIngest({
  connection: { state: "failed", code: "403", reason: "Refused (403)", remedy: "Set a contact." },
});

test("nothing is said of what is normal, also not of holes that the idle data centre always has or of a demo without one", () => {
  expect(ids({})).toEqual([]);
  expect(ids({ ingest: null, pipeline: null, findings: NO_FINDINGS })).toEqual([]);
  const gaps = [{ state: "open", count: 3 }] as const;
  expect(ids({ pipeline: examplePipeline({ gaps }) })).toEqual([]);
});

test("several troubles are all there, the worst first, and none hides another", () => {
  const pipeline = examplePipeline({
    clockWrong: true,
    catalogHeldSinceMs: 0,
    catalogHeldBy: "catalog-held",
  });
  const all = ids({
    mode: "demo",
    pipeline,
    ingest: REFUSED,
    workers: [GAVE_UP],
    settingsFile: { path: "/s", problem: "x.", changes: 0 },
  });
  expect(all).toEqual([
    "gave-up-pipeline",
    "source-failed",
    "catalog-held",
    "settings",
    "clock-wrong",
    "demo",
  ]);
});

test("a source that refuses and one that cannot be reached say what to do", () => {
  expect(only({ ingest: REFUSED })).toMatchObject({
    tone: "bad",
    detail: "Set a contact.",
    action: { command: "source.retry" },
  });
  expect(only({ unreachable: "No answer." })).toMatchObject({ action: { command: "source.use-demo" } });
  const demo = only({ mode: "demo", fellBackBecause: "No answer." });
  expect(demo.detail).toMatch(/^No answer\. These edits are made on this computer/);
});

test("no contact is said where Wikimedia asks for one, with the setting and its file, and nowhere else", () => {
  const banner = only({ hasContact: false });
  expect(banner).toMatchObject({ tone: "info" });
  expect(banner.detail).toMatch(/userAgentContact.*\/hw\/workspace\/settings\.json/);
  expect(ids({ hasContact: false, ingest: exampleIngest({ url: "http://127.0.0.1/v2/stream/x" }) })).toEqual(
    [],
  );
  expect(ids({ hasContact: false, ingest: exampleIngest({ url: "https://notwikimedia.org/" }) })).toEqual([]);
});

test("a full disk is not blamed on another program, and a log that cannot be written is said with its reason", () => {
  const held = (by: "catalog-held" | "disk-full") =>
    only({ pipeline: examplePipeline({ catalogHeldSinceMs: 5, catalogHeldBy: by }) });
  expect(held("catalog-held").title).toMatch(/^Another program holds the catalog since /);
  expect(held("disk-full")).toMatchObject({
    tone: "bad",
    title: expect.stringMatching(/^The disk is full since /),
  });
  const logHeld = { sinceMs: 5, reason: "the disk is full" };
  expect(only({ ingest: exampleIngest({ logHeld }) })).toMatchObject({
    id: "log-held",
    tone: "bad",
    detail: expect.stringMatching(/^The disk is full\. The source waits and nothing is dropped/),
  });
});

test("losses are news only when this run found them; older ones are not told at every start", () => {
  const loss = (changedAt: number) => {
    const newest = [{ fromOffset: 50, toOffset: 60, reason: "the log lost these records", changedAt }];
    return { pipeline: examplePipeline({ losses: { count: 1, newest } }) };
  };
  expect(ids(loss(100))).toEqual([]);
  expect(only(loss(101))).toMatchObject({
    id: "losses",
    detail: expect.stringMatching(
      /^At offsets 50 to 60: The log lost these records\. Run `highwater verify`/,
    ),
  });
});

test("a rule that the settings cannot switch off is named, with the setting and its file", () => {
  const inForce = { ...DEFAULT_RESULT_SETTINGS, disabledRules: ["required-identity"] };
  const settings = { sinceOffset: 1, inForce, rulesStillOn: ["required-identity"] };
  expect(only({ pipeline: examplePipeline({ settings }) }).detail).toMatch(
    /switch off required-identity: .*result\.disabledRules in \/hw\/workspace\/settings\.json/,
  );
});

test("a segment set aside, a hole of a busy topic and a catalog that went back name their place and what to do", () => {
  const quarantined = [
    { movedTo: "/hw/quarantine/log-x/7", fromOffset: 7, reason: "file is not a database" },
  ];
  expect(only({ findings: { ...NO_FINDINGS, quarantined } }).detail).toMatch(
    /From offset 7 on \(file is not a database\); kept in \/hw\/quarantine\/log-x\/7/,
  );
  const hole = (state: "open" | "asked") => {
    const newest = [{ topic: "eqiad.x", fromOffset: 3, toOffset: 5, state }];
    return only({ pipeline: examplePipeline({ activeHoles: { count: 1, newest } }) }).detail;
  };
  expect(hole("open")).toMatch(/Numbers 3 to 5 of eqiad\.x did not arrive\. .*pause and resume/);
  expect(hole("asked")).toMatch(/was asked and has not sent them/);
  const wentBack = {
    foundSnapshotId: 90,
    seenSnapshotId: 120,
    continuesAt: 10_121,
    setAside: { files: 3, to: "/hw/q" },
  };
  expect(only({ findings: { ...NO_FINDINGS, wentBack } }).detail).toMatch(
    /was 90, but 120 .* go on at 10121.* 3 of its Parquet files were moved to \/hw\/q/,
  );
});
