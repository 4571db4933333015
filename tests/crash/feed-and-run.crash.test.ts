import { join } from "node:path";
import { expect, test } from "vitest";
import { dataFolderAt } from "#storage/files/data-folder.ts";
import { startCli } from "../support/cli-process.ts";
import { dumpLake, rowsOf, setAsideSha } from "../support/dump-lake.ts";
import { judgeByManifest } from "../support/judge-manifest.ts";
import { until } from "../support/poll.ts";
import { testScope } from "../support/scope.ts";
import { expectVerified } from "../support/verify-lake.ts";

const EVENTS = 600;

test("`run --events N` on a feed of `--events N` ends by itself with exactly those: distinct, without canaries, dead letters counted", async () => {
  const scope = testScope();
  const manifest = join(scope.folder(), "manifest.ndjson");
  const feedArgs = ["feed", "--events", `${EVENTS}`, "--rate", "max", "--seed", "5", "--manifest", manifest];
  const feed = startCli(scope, feedArgs);
  const url = await until("the feed's address", () => /serving (\S+)/.exec(feed.stdout())?.[1], {
    explain: () => feed.stderr() + feed.stdout(),
  });
  const folder = dataFolderAt(join(scope.folder(), "data"));
  const run = startCli(scope, [
    "run",
    "--source",
    url,
    "--data",
    folder.root,
    "--events",
    `${EVENTS}`,
    "--json",
  ]);
  expect((await run.ended).code, run.stderr()).toBe(0);
  feed.child.kill("SIGTERM");
  expect((await feed.ended).code, feed.stderr()).toBe(0);

  const dump = await dumpLake(folder);
  const letters = new Set(rowsOf(dump, "main.dead_letters").map(setAsideSha));
  expect(letters.size).toBeGreaterThan(0);
  expect(rowsOf(dump, "bronze.recentchange").length + letters.size).toBe(EVENTS);
  const filtered = new Set(
    rowsOf(dump, "main.discards")
      .filter((row) => row["reason"] === "filtered")
      .map(setAsideSha),
  );
  expect(filtered.size).toBeGreaterThan(0);
  // The run may end before the feed's last repeats and canaries came.
  await judgeByManifest(dump, manifest, "at most");
  await expectVerified(folder, manifest);
});
