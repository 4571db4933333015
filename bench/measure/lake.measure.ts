import { readdirSync, statSync } from "node:fs";
import { join } from "node:path";
import { silverTable } from "#pipeline/silver/silver-table.ts";
import { dataFolderAt } from "#storage/files/data-folder.ts";
import { openLakeReader } from "#storage/lake/read/lake-reader.ts";
import { answer } from "./answer.ts";

await answer("lake", async ({ root }) => {
  const folder = dataFolderAt(root);
  const reader = openLakeReader({
    catalogPath: folder.catalog,
    lakeData: folder.lakeData,
    tempFolder: folder.tmp,
  });
  try {
    const lakeBytes = bytesBelow(folder.lake);
    const catalogBytes = lakeBytes - bytesBelow(folder.lakeData);
    return { lakeBytes, catalogBytes, silverRows: reader.size(silverTable).rows };
  } finally {
    await reader.close();
  }
});

function bytesBelow(folder: string): number {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .reduce((sum, entry) => sum + statSync(join(entry.parentPath, entry.name)).size, 0);
}
