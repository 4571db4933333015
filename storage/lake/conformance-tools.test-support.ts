import { existsSync } from "node:fs";
import { join } from "node:path";

/** Where the preparation script puts DuckDB's own extensions. */
export function extensionPath(name: "ducklake" | "sqlite_scanner"): string {
  return join(import.meta.dirname, "../../.extensions", `${name}.duckdb_extension`);
}

/** True where the real extensions can be loaded. */
export const hasExtensions =
  existsSync(extensionPath("ducklake")) && existsSync(extensionPath("sqlite_scanner"));

/** How to get them. */
export const HOW_TO_GET_EXTENSIONS =
  "run `node build/prepare-test-tools.ts` to fetch the ducklake extensions";
