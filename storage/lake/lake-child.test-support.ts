/**
 * A lake writer as a process of its own, for tests that kill it. Argument: data folder. Runs a fixed history from the stored
 * checkpoint on and prints the content hash of every table at its end. HIGHWATER_FAILPOINT stops it on the way.
 */
import { dataFolderAt } from "../files/data-folder.ts";
import { armFailpointFromEnv } from "../failpoint/failpoint.ts";
import { isFailpointName } from "../model/failpoints.ts";
import { lakeSettingsSchema } from "../model/settings.ts";
import type { CommitInput } from "../model/lake.ts";
import { createTestFeed, fakeClock, recountAll, SOURCE, TEST_TABLES } from "./lake.test-support.ts";
import { openLakeWriter } from "./lake-writer.ts";

const COMMITS = 24;

async function main(root: string): Promise<void> {
  armFailpointFromEnv(isFailpointName);
  const clock = fakeClock();
  const feed = createTestFeed(clock);
  const settings = lakeSettingsSchema.parse({ sealRows: 150, keepAllMs: 30_000, unlinkDelayMs: 10_000 });
  const writer = await openLakeWriter({ folder: dataFolderAt(root), tables: TEST_TABLES, settings, clock });
  for (let commit = 0; commit < COMMITS; commit += 1) {
    clock.advance(12_000);
    const input = nextInput(feed, commit);
    if (input.toOffset <= (writer.state(SOURCE)?.checkpoint ?? 0)) continue;
    await writer.commit(input);
    while ((await writer.maintain(clock.nowMs())).did !== "nothing") continue;
  }
  await recountAll(writer.reader);
  const hashes = TEST_TABLES.map((table) => `${table.name}=${writer.reader.contentHash(table)}`);
  const rows = TEST_TABLES.map((table) => `${table.name}=${writer.reader.size(table).rows}`);
  await writer.close();
  process.stdout.write(JSON.stringify({ hashes, rows }));
}

function nextInput(feed: ReturnType<typeof createTestFeed>, commit: number): CommitInput {
  if (commit % 8 === 5) return feed.next(2_200, "catching-up");
  const [key = ""] = feed.settledKeys();
  const [start = "", wiki = ""] = key.split("/");
  if (commit % 8 === 7 && wiki !== "") {
    return feed.amend([[SOURCE, Number(start), 60_000, "amended", wiki, 1_000 + commit]]);
  }
  return feed.next(30);
}

await main(process.argv[2] ?? "");
