import { readdirSync, statSync } from "node:fs";
import { join } from "node:path";
import { silverTable } from "#pipeline/silver/silver-table.ts";
import { dataFolderAt } from "#storage/files/data-folder.ts";
import { openLakeReader } from "#storage/lake/read/lake-reader.ts";
import { answer } from "./answer.ts";

/** More snapshots than any run here makes. */
const ALL = 10_000_000;

await answer("lake", async ({ root, source }) => {
  const folder = dataFolderAt(root);
  const reader = openLakeReader({
    catalogPath: folder.catalog,
    lakeData: folder.lakeData,
    tempFolder: folder.tmp,
  });
  try {
    const commits = reader
      .snapshots(ALL)
      .flatMap((snapshot) =>
        snapshot.kind === "commit" && snapshot.source === source && snapshot.toOffset !== null
          ? [
              {
                fromOffset: snapshot.fromOffset ?? 0,
                toOffset: snapshot.toOffset,
                commitTimeMs: snapshot.commitTimeUs / 1_000,
              },
            ]
          : [],
      )
      .toReversed();
    return { commits, lakeBytes: bytesBelow(folder.lake), silverRows: reader.size(silverTable).rows };
  } finally {
    await reader.close();
  }
});

function bytesBelow(folder: string): number {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .reduce((sum, entry) => sum + statSync(join(entry.parentPath, entry.name)).size, 0);
}
