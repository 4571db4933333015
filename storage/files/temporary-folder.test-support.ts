import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { onTestFinished } from "vitest";

/** A temporary folder of the running test, removed when it ends. (No `using`: the layer check cannot parse it.) */
export function temporaryFolder(): { readonly path: string } {
  const path = mkdtempSync(join(tmpdir(), "highwater-files-"));
  onTestFinished(() => rmSync(path, { recursive: true, force: true }));
  return { path };
}
