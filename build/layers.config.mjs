/**
 * The one import rule (imports point towards storage), checked by dependency-cruiser.
 * Each rule says which folder may import what; whatever is not listed in `to.pathNot` is refused.
 * Test code may import anything, so every rule looks at product files only.
 */
const TEST_CODE = String.raw`\.(test|property\.test|crash\.test)\.tsx?$|\.test-support\.tsx?$|(^|/)testing/`;
const TOP_LEVEL = "^(storage|pipeline|main|renderer|build|e2e|bench|tests)/";
const PURE_PACKAGES = "^(node_modules/)?zod(/|$)";
const STAGES = "ingest|demo-feed|decode|filter|validate|dead-letter|dedup|bronze|silver|gold|ledger";

/** A rule whose sources are product files below `path`. */
function productRule(name, comment, path, to, pathNot = TEST_CODE) {
  return { name, comment, severity: "error", from: { path, pathNot }, to };
}

/** Files below `path` may import own-code files only from `allowed` (or their own folder). */
function mayImport(name, path, allowed, pathNot) {
  const comment = `${path} may import only: ${allowed.join(", ")}`;
  return productRule(name, comment, path, { path: TOP_LEVEL, pathNot: [...allowed, TEST_CODE] }, pathNot);
}

const layerRules = [
  mayImport("storage-imports-storage-only", "^storage/", ["^storage/"]),
  mayImport("pipeline-imports-storage", "^pipeline/", ["^pipeline/", "^storage/"]),
  mayImport("main-imports-contracts-only", "^main/", [
    "^main/",
    "^pipeline/protocol/",
    "^storage/model/",
    "^storage/files/",
  ]),
  mayImport("renderer-imports-main-contract-only", "^renderer/", [
    "^renderer/",
    "^main/contract/",
    "^pipeline/protocol/",
    "^storage/model/",
  ]),
  mayImport("model-is-pure", "^storage/model/", ["^storage/model/"]),
  mayImport("protocol-is-pure", "^pipeline/protocol/", ["^pipeline/protocol/", "^storage/model/"]),
  mayImport("contract-is-pure", "^main/contract/", [
    "^main/contract/",
    "^pipeline/protocol/",
    "^storage/model/",
  ]),
  productRule(
    "pure-code-uses-no-packages",
    "storage/model, pipeline/protocol and main/contract run anywhere: no Node, no packages but zod",
    "^(storage/model|pipeline/protocol|main/contract)/",
    {
      dependencyTypesNot: ["local", "localmodule", "aliased", "aliased-subpath-import"],
      pathNot: [PURE_PACKAGES, TOP_LEVEL],
    },
  ),
  productRule("renderer-has-no-node", "the window is sandboxed", "^renderer/", { dependencyTypes: ["core"] }),
];

const insideStorage = [
  mayImport("failpoint-imports-model", "^storage/failpoint/", ["^storage/(failpoint|model)/"]),
  mayImport("files-imports-model", "^storage/files/", ["^storage/(files|model|failpoint)/"]),
  mayImport("log-is-alone", "^storage/log/", ["^storage/(log|model|files|failpoint)/"]),
  mayImport("lake-is-alone", "^storage/lake/", ["^storage/(lake|model|files|failpoint|duckdb)/"]),
  mayImport("duckdb-is-alone", "^storage/duckdb/", ["^storage/(duckdb|model|files|failpoint)/"]),
  mayImport("query-reads-the-lake", "^storage/query/", [
    "^storage/(query|duckdb|model|files|failpoint)/",
    "^storage/lake/read",
  ]),
];

const insidePipeline = [
  productRule(
    "stages-never-import-each-other",
    "a stage knows its own folder and pipeline/protocol; only batch/, workers/ and maintenance/ compose",
    `^pipeline/(${STAGES})/`,
    { path: `^pipeline/`, pathNot: ["^pipeline/$1/", "^pipeline/protocol/", TEST_CODE] },
  ),
  productRule(
    "batch-stays-below-workers",
    "batch/ and maintenance/ compose stages; workers/ start them",
    "^pipeline/(batch|maintenance)/",
    { path: "^pipeline/workers/" },
  ),
];

const processRules = [
  {
    name: "only-main-electron-imports-electron",
    comment: "one folder knows Electron; everything else runs in plain Node",
    severity: "error",
    from: { pathNot: ["^main/electron/", "^e2e/", "^build/default-app/"] },
    to: { path: "^(node_modules/)?electron(/|$)" },
  },
  productRule("main-opens-no-database", "main supervises; databases belong to the workers", "^main/", {
    path: "^(node_modules/)?(better-sqlite3|@duckdb)(/|$)",
  }),
  {
    name: "nobody-imports-tests-e2e-build",
    comment: "product code never depends on tests, e2e, build or the benchmark",
    severity: "error",
    from: { path: "^(storage|pipeline|main|renderer)/", pathNot: TEST_CODE },
    to: { path: `^(e2e|build|bench|tests)/|${TEST_CODE}` },
  },
  {
    name: "no-cycles",
    comment: "a cycle means that two files are one",
    severity: "error",
    from: {},
    to: { circular: true },
  },
  {
    name: "no-unresolved",
    comment: "an import that does not resolve would slip through every other rule",
    severity: "error",
    from: {},
    to: { couldNotResolve: true, pathNot: [String.raw`\?(url|raw|worker)$`, "^virtual:"] },
  },
];

export default {
  forbidden: [...layerRules, ...insideStorage, ...insidePipeline, ...processRules],
  options: {
    // Without swc, dependency-cruiser finds no TypeScript 7 and passes with "0 modules".
    parser: "swc",
    tsPreCompilationDeps: true,
    doNotFollow: { path: "node_modules" },
    exclude: { path: "^(out|dist|coverage|node_modules/\\.)" },
    moduleSystems: ["es6", "cjs"],
    enhancedResolveOptions: {
      extensions: [".ts", ".tsx", ".mjs", ".cjs", ".js", ".json"],
      exportsFields: ["exports"],
      conditionNames: ["import", "node", "default", "types"],
    },
  },
};
