import { expect, test } from "vitest";
import { toLakeError } from "./sqlite-errors.ts";

test.each([
  ["SQLITE_FULL", "disk-full"],
  // What a reader gets where the disk has no room for the write-ahead log's index: a sound catalog, not a broken one.
  ["SQLITE_IOERR_SHMSIZE", "disk-full"],
  ["SQLITE_BUSY_SNAPSHOT", "catalog-held"],
  ["SQLITE_IOERR_READ", "store-unreadable"],
  ["SQLITE_CORRUPT_INDEX", "store-unreadable"],
])("%s is told as %s", (code, told) => {
  const error = Object.assign(new Error("disk I/O error"), { code });
  expect(toLakeError(error, "reading")).toMatchObject({ code: told, details: { sqliteCode: code } });
});
