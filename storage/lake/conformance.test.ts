import { describe, expect, test } from "vitest";
import { toSnapshotId } from "../model/brand.ts";
import { hasExtensions, HOW_TO_GET_EXTENSIONS } from "./conformance-tools.test-support.ts";
import { COUNTS, openTestLake, recountAll, SOURCE, type TestLake } from "./lake.test-support.ts";
import { readByExtension, readLines, startReader } from "./read-by-extension.test-support.ts";

/** What the real extension reads at every kept snapshot, in the form of {@link recountAll}. */
function readKept(lake: TestLake): Promise<Map<string, string>> {
  // Snapshot 0 and the schema snapshot come before the tables' first rows.
  const ids = lake.writer.reader.snapshots(1_000).map((snapshot) => Number(snapshot.snapshotId));
  return readByExtension(
    lake.folder.catalog,
    ids.filter((id) => id > 0),
    "test",
  );
}

async function maintainAll(lake: TestLake): Promise<ReadonlySet<string>> {
  const did = new Set<string>();
  for (let step = 0; step < 1_000; step += 1) {
    const result = await lake.writer.maintain(lake.clock.nowMs());
    if (result.did === "nothing") return did;
    did.add(result.did);
  }
  throw new Error("maintenance does not come to rest");
}

const MISSING = `SKIPPED, not compared with the real ducklake extension: ${HOW_TO_GET_EXTENSIONS}`;
if (!hasExtensions) process.stderr.write(`${MISSING}\n`);

test("has the real extensions wherever CI runs", () => {
  const isWanted = Boolean(process.env["CI"]);
  expect(isWanted && !hasExtensions ? MISSING : "ready").toBe("ready");
});

describe.skipIf(!hasExtensions)(
  "the real ducklake extension (build/prepare-test-tools.ts fetches it)",
  () => {
    test("reads a lake that went on above a catalog that had gone back, on both sides of the jump", async () => {
      await using lake = await openTestLake({ keepAllMs: 3_600_000 });
      for (let commit = 0; commit < 4; commit += 1) {
        lake.clock.advance(1_000);
        await lake.writer.commit(lake.feed.next(30, "live"));
      }
      await lake.reopen(undefined, Number(lake.writer.reader.latest()) + 50);
      expect(lake.writer.wentBack).not.toBeNull();
      await lake.writer.commit(lake.feed.next(30, "live"));
      await lake.writer.seal(lake.clock.nowMs());
      await lake.writer.commit(lake.feed.next(2_200, "catching-up"));
      expect(await readKept(lake)).toEqual(withoutSnapshotZero(await recountAll(lake.writer.reader)));
    });

    test("reads every table at every kept snapshot as our reader does, through seals, amends, catching up and pruning", async () => {
      await using lake = await openTestLake({
        sealRows: 400,
        keepAllMs: 120_000,
        unlinkDelayMs: 60_000,
      });
      for (let commit = 0; commit < 22; commit += 1) {
        lake.clock.advance(12_000);
        await lake.writer.commit(
          lake.feed.next(commit % 9 === 8 ? 2_200 : 30, commit % 9 === 8 ? "catching-up" : "live"),
        );
        if (commit % 6 === 5) await lake.writer.seal(lake.clock.nowMs());
      }
      const [key = ""] = lake.feed.settledKeys();
      const [start = "", wiki = ""] = key.split("/");
      await lake.writer.commit(lake.feed.amend([[SOURCE, Number(start), 60_000, "amended", wiki, 5]]));

      const before = await recountAll(lake.writer.reader);
      expect(await readKept(lake)).toEqual(withoutSnapshotZero(before));

      const did = await maintainAll(lake);
      expect([...did]).toEqual(expect.arrayContaining(["expire", "prune"]));
      const after = await recountAll(lake.writer.reader);
      expect(after.size).toBeLessThan(before.size);
      expect(await readKept(lake)).toEqual(withoutSnapshotZero(after));
      // What is still kept reads as it did (invariant I3).
      expect([...before]).toEqual(expect.arrayContaining([...after].filter(([key]) => before.has(key))));
      lake.clock.advance(200_000);
      await lake.writer.commit(lake.feed.next(5));
      await maintainAll(lake);
      lake.clock.advance(61_000);
      expect([...(await maintainAll(lake))]).toContain("sweep");
      expect(await readKept(lake)).toEqual(withoutSnapshotZero(await recountAll(lake.writer.reader)));
    }, 60_000);

    test("reads whole snapshots while the writer commits and seals", async () => {
      await using lake = await openTestLake();
      await lake.writer.commit(lake.feed.next(20));
      const reader = startReader(lake.folder.catalog, "follow", "test");
      let lines = 0;
      reader.stdout?.on("data", (chunk: Buffer) => (lines += chunk.toString().split("\n").length - 1));
      const result = readLines(reader);
      const failed = result.then(
        () => false,
        () => true,
      );
      for (let commit = 0; commit < 2_000 && lines < 60; commit += 1) {
        lake.clock.advance(1_000);
        await lake.writer.commit(lake.feed.next(10));
        if (commit % 40 === 39) await lake.writer.seal(lake.clock.nowMs());
        // The reader is another process: let its output in.
        if (await Promise.race([failed, new Promise((resolve) => setImmediate(resolve, false))])) break;
      }
      reader.stdin?.end();
      const seen = await result;
      expect(seen.length).toBeGreaterThanOrEqual(60);
      const { reader: own } = lake.writer;
      const torn = seen.filter((line) => {
        const table = own.tables().find((candidate) => candidate.name === line.table) ?? COUNTS;
        return String(own.contentHash(table, toSnapshotId(line.version))) !== line.hash;
      });
      expect(torn).toEqual([]);
      expect(new Set(seen.map((line) => line.version)).size).toBeGreaterThan(3);
    }, 60_000);
  },
);

function withoutSnapshotZero(found: ReadonlyMap<string, string>): Map<string, string> {
  return new Map([...found].filter(([key]) => !key.startsWith("0/")));
}
