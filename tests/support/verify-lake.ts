import type { VerifyCheck } from "#pipeline/protocol/query-messages.ts";
import { askOnce } from "#main/cli/ask-query-worker.ts";
import type { DataFolder } from "#storage/files/data-folder.ts";

/** Runs the product's own `verify` in a real query worker; throws naming every check that is not ok. */
export async function expectVerified(
  folder: DataFolder,
  manifestPath: string | null,
): Promise<readonly VerifyCheck[]> {
  const response = await askOnce(folder.root, { ask: "verify", source: null, manifestPath, asOf: null });
  if (response.ask !== "verify") throw new Error(`verify was answered with ${response.ask}`);
  const bad = response.checks.filter(({ verdict }) => verdict !== "ok");
  if (response.verdict !== "ok" || bad.length > 0 || response.checks.length === 0)
    throw new Error(`verify says ${response.verdict}: ${JSON.stringify(bad, null, 1)}`);
  return response.checks;
}
