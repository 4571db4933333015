import type { DataFolder } from "#storage/files/data-folder.ts";
import { openLogReader } from "#storage/log/log-reader.ts";
import type { SourceName } from "#storage/model/brand.ts";
import { AppError } from "#storage/model/errors.ts";
import type { LakeReader } from "#storage/model/lake.ts";
import type { QuerySession } from "#storage/query/query-session.ts";
import { parseManifest, type Manifest } from "../demo-feed/manifest/manifest-format.ts";
import { verifyLake } from "../maintenance/verify/verify-lake.ts";
import type { QueryRequest, QueryResponse, VerifyCheck } from "../protocol/query-messages.ts";
import { sourceOf } from "./asked-source.ts";

type VerifyRequest = Extract<QueryRequest, { ask: "verify" }>;
type VerifyResponse = Extract<QueryResponse, { ask: "verify" }>;

/**
 * Verifies every source of the lake (or the one asked for) at the newest snapshot, with its log and, where given, the feed's
 * manifest. Broken beats cannot tell, which beats ok; a lake without a commit cannot tell. Throws `usage` for another snapshot
 * than the newest (its state is not kept), and for a manifest that could belong to several sources.
 */
export async function answerVerify(
  context: { readonly session: QuerySession; readonly folder: DataFolder },
  request: VerifyRequest,
  signal: AbortSignal,
): Promise<VerifyResponse> {
  const manifest = request.manifestPath === null ? null : await parseManifest(request.manifestPath);
  return context.session.atOneSnapshot(signal, async (reader) => {
    const snapshotId = reader.latest();
    if (request.asOf !== null && request.asOf !== snapshotId) {
      throw new AppError(
        "usage",
        `only the newest snapshot (${snapshotId}) can be verified, not ${request.asOf}`,
      );
    }
    const sources = request.source === null ? reader.sources() : [sourceOf(request.source)];
    if (manifest !== null && sources.length > 1) {
      throw new AppError("usage", `name the source that the manifest belongs to: ${sources.join(", ")}`);
    }
    const checks: VerifyCheck[] = [];
    for (const source of sources) {
      for (const check of await verifySource(context.folder, reader, source, manifest)) {
        checks.push(sources.length === 1 ? check : { ...check, id: `${source}/${check.id}` });
      }
    }
    return { ask: "verify", snapshotId, verdict: worst(checks), checks };
  });
}

async function verifySource(
  folder: DataFolder,
  reader: LakeReader,
  source: SourceName,
  manifest: Manifest | null,
): Promise<readonly VerifyCheck[]> {
  const logReader = openLogReader({ folder: folder.log(source), source });
  try {
    return await verifyLake({ reader, source, logReader, manifest });
  } finally {
    logReader.close();
  }
}

function worst(checks: readonly VerifyCheck[]): VerifyResponse["verdict"] {
  if (checks.some(({ verdict }) => verdict === "broken")) return "broken";
  return checks.length === 0 || checks.some(({ verdict }) => verdict === "cannot-tell")
    ? "cannot-tell"
    : "ok";
}
