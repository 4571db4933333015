import { defineConfig } from "@playwright/test";
import { join, resolve } from "node:path";

const reports = resolve(import.meta.dirname, "../test-results");

export default defineConfig({
  testDir: "specs",
  testMatch: "**/*.spec.ts",
  outputDir: join(reports, "e2e"),
  // One window at a time: CI has 2 cores, and each app has three workers of its own.
  workers: 1,
  fullyParallel: false,
  // A spec that passes only on the second try hides a race.
  retries: 0,
  forbidOnly: Boolean(process.env["CI"]),
  timeout: 90_000,
  expect: { timeout: 15_000 },
  reporter: [["list"], ["json", { outputFile: join(reports, "e2e.json") }]],
});
