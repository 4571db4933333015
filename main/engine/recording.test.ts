import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { temporaryFolder } from "#storage/files/temporary-folder.test-support.ts";
import { checkRecording } from "./recording.ts";

test("a file that can be read is taken by its absolute path", async () => {
  const path = join(temporaryFolder().path, "edits 1.ndjson");
  writeFileSync(path, "{}\n");
  expect(await checkRecording(path)).toBe(path);
});

test.each([
  ["a missing one", (folder: string) => join(folder, "none"), "ENOENT"],
  ["a folder", (folder: string) => folder, "folder, pipe or device"],
  ["a device", () => "/dev/zero", "folder, pipe or device"],
  [
    "an empty one",
    (folder: string) => {
      writeFileSync(join(folder, "empty"), "");
      return join(folder, "empty");
    },
    "nothing to read",
  ],
])("%s is refused with what is wrong", async (_what, pathOf, reason) => {
  await expect(checkRecording(pathOf(temporaryFolder().path))).rejects.toMatchObject({
    code: "source-file-unreadable",
    message: expect.stringContaining(reason),
  });
});
