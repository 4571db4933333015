import react from "@vitejs/plugin-react";
import { defineConfig } from "vitest/config";

/** Each project names what it includes, or vitest would pick up the Playwright specs in e2e/. */
const FOLDERS = "{storage,pipeline,main,renderer,build,bench}";
const CRASH_TESTS = `${FOLDERS}/**/*.crash.test.ts`;

export default defineConfig({
  test: {
    // CI has 2 cores; a third process only makes the workers under test slower.
    maxWorkers: 2,
    passWithNoTests: false,
    allowOnly: false,
    projects: [
      {
        test: {
          name: "unit",
          environment: "node",
          include: [`${FOLDERS}/**/*.test.ts`],
          exclude: [CRASH_TESTS],
          pool: "forks",
          testTimeout: 20_000,
          hookTimeout: 20_000,
        },
      },
      {
        plugins: [react()],
        test: {
          name: "ui",
          environment: "jsdom",
          include: ["renderer/**/*.test.tsx"],
          setupFiles: ["renderer/page.test-setup.ts"],
          pool: "forks",
          testTimeout: 20_000,
        },
      },
      {
        test: {
          name: "crash",
          environment: "node",
          // Everything in tests/ starts real workers, so it runs here whatever its ending.
          include: [CRASH_TESTS, "tests/**/*.test.ts"],
          pool: "forks",
          // Real workers are killed and restarted: one file at a time, so that a stall is never a neighbour's load.
          fileParallelism: false,
          maxWorkers: 1,
          testTimeout: 300_000,
          hookTimeout: 120_000,
        },
      },
    ],
  },
});
