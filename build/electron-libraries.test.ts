import { afterEach, expect, test, vi } from "vitest";
import { ensureLibraries, missingLibraries } from "./electron-libraries.ts";
import { prepareElectron } from "./electron-runtime.ts";

afterEach(() => {
  vi.unstubAllEnvs();
});

test("finds nothing missing for a program that starts", () => {
  expect(missingLibraries(process.execPath)).toEqual([]);
  expect(() => ensureLibraries(process.execPath, false)).not.toThrow();
});

test("outside CI prints the exact command instead of installing", () => {
  vi.stubEnv("CI", "");
  // Without a PATH no display server is found.
  vi.stubEnv("PATH", "");
  expect(() => ensureLibraries(process.execPath, true)).toThrow(
    /sudo apt-get update && sudo apt-get install -y libgtk-3-0\S* libnss3 .*xvfb xauth$/,
  );
});

test("says so when ELECTRON_OVERRIDE_DIST_PATH names a folder without Electron", async () => {
  vi.stubEnv("ELECTRON_OVERRIDE_DIST_PATH", "/nowhere");
  await expect(prepareElectron()).rejects.toThrow("ELECTRON_OVERRIDE_DIST_PATH names /nowhere");
});
