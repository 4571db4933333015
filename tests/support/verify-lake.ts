import type { VerifyCheck } from "#pipeline/protocol/query-messages.ts";
import { askOnce } from "#main/cli/ask-query-worker.ts";
import type { DataFolder } from "#storage/files/data-folder.ts";

/**
 * Runs the product's own `verify` in a real query worker; throws naming every check that is not ok. `mayNotTell`: checks
 * that cannot tell by the nature of the test (a feed whose own numbering has holes).
 */
export async function expectVerified(
  folder: DataFolder,
  manifestPath: string | null,
  mayNotTell: readonly string[] = [],
): Promise<readonly VerifyCheck[]> {
  const response = await askOnce(folder.root, { ask: "verify", source: null, manifestPath, asOf: null });
  if (response.ask !== "verify") throw new Error(`verify was answered with ${response.ask}`);
  const { checks, verdict } = response;
  const bad = checks.filter(
    (check) =>
      check.verdict === "broken" || (check.verdict === "cannot-tell" && !mayNotTell.includes(check.id)),
  );
  if (bad.length > 0 || checks.length === 0 || verdict === "broken")
    throw new Error(`verify says ${verdict}: ${JSON.stringify(bad, null, 1)}`);
  return checks;
}
