import react from "@vitejs/plugin-react";
import { defineConfig } from "electron-vite";
import { globSync } from "node:fs";
import { basename } from "node:path";

/** Electron 33 (the substitute that tests run on) has Node 20.18 and Chromium 130; users' Electron is newer. */
const NODE_TARGET = "node20.18";
const PAGE_TARGET = "chrome130";

/** Worker entries by name: `pipeline/workers/ingest.worker.ts` becomes `out/main/ingest.worker.js`. */
const workers = Object.fromEntries(
  globSync("{storage,pipeline,main}/**/*.worker.ts").map((file) => [basename(file, ".ts"), file]),
);

export default defineConfig({
  main: {
    build: {
      target: NODE_TARGET,
      outDir: "out/main",
      sourcemap: true,
      rolldownOptions: {
        input: { main: "main/electron/main.ts", ...workers },
        // Flat, so that `new URL("./x.worker.js", import.meta.url)` holds in an entry and in a shared chunk alike.
        output: { format: "es", entryFileNames: "[name].js", chunkFileNames: "chunk-[name]-[hash].js" },
      },
    },
  },
  preload: {
    build: {
      target: NODE_TARGET,
      outDir: "out/preload",
      // A sandboxed preload can require nothing but electron, and must be CommonJS.
      externalizeDeps: false,
      rolldownOptions: {
        input: { preload: "main/electron/preload.ts" },
        output: { format: "cjs", entryFileNames: "[name].cjs" },
      },
    },
  },
  renderer: {
    root: "renderer",
    plugins: [react()],
    build: {
      target: PAGE_TARGET,
      outDir: "out/renderer",
      // The content security policy allows fonts from files only, never from data: addresses.
      assetsInlineLimit: 0,
      rolldownOptions: { input: "renderer/index.html" },
    },
  },
});
