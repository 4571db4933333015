import type { SnapshotId, SourceName } from "#storage/model/brand.ts";
import type { LakeReader, SourceState } from "#storage/model/lake.ts";
import type { LogReader } from "#storage/model/log.ts";
import { qualifiedName } from "#storage/model/table.ts";
import { LAKE_TABLES } from "../../batch/lake-tables.ts";
import type { VerifyCheck } from "../../protocol/query-messages.ts";
import { Audit } from "./audit.ts";
import { auditRows } from "./audit-rows.ts";
import { Check } from "./check.ts";
import { checkGold, contentOf } from "./gold-checks.ts";
import { LogCheck } from "./log-check.ts";
import { type FeedManifest, ManifestCheck } from "./manifest-check.ts";

/** What to verify, and with what to compare it besides itself. */
export type VerifyOptions = {
  readonly reader: LakeReader;
  readonly source: SourceName;
  /** The source's log, as far as it is kept. */
  readonly logReader?: LogReader | null;
  /** What a demo feed says it sent. */
  readonly manifest?: FeedManifest | null;
};

/**
 * Recomputes every promise of the lake from its rows, at its newest snapshot: nothing is believed because it was stored.
 * Memory is bounded by the dedup horizon and about 16 bytes an id (a manifest: about 150 bytes an id).
 */
export async function verifyLake(options: VerifyOptions): Promise<readonly VerifyCheck[]> {
  const { reader, source } = options;
  const { at, state } = momentOf(reader, source);
  if (state === null) {
    const nothing = new Check("I1", "every offset is in exactly one table");
    nothing.unknown(`the lake holds nothing of ${source}`);
    return [nothing.done("no commit")];
  }
  const audit = new Audit(source);
  const log = options.logReader ? new LogCheck(options.logReader) : null;
  const manifest = options.manifest ? new ManifestCheck(options.manifest) : null;
  for await (const row of auditRows(reader, source, state.checkpoint, at)) {
    audit.see(row);
    log?.see(row);
    manifest?.see(row);
  }
  const ledger = reader.ledger(at).filter((entry) => entry.source === source);
  const basis = { reader, source, at, settings: audit.settings, checkpoint: state.checkpoint };
  return [
    ...audit.finish({ state, ledger }),
    ...(await checkGold({ ...basis, watermarkUs: state.watermarkUs })),
    await checkHashes(reader, at),
    checkGaps(reader, source),
    ...(log?.finish(state.checkpoint) ?? []),
    ...(manifest === null ? [] : [await manifest.finish()]),
  ];
}

/** The newest snapshot and the state that was published with it: a running writer may commit between two questions. */
function momentOf(reader: LakeReader, source: SourceName): { at: SnapshotId; state: SourceState | null } {
  for (;;) {
    const at = reader.latest();
    const state = reader.state(source);
    if (reader.latest() === at) return { at, state };
  }
}

async function checkHashes(reader: LakeReader, at: SnapshotId): Promise<VerifyCheck> {
  const check = new Check("I3", "every table reads as it was when the snapshot was published (content hash)");
  let rows = 0;
  for (const table of LAKE_TABLES) {
    const read = await contentOf(reader, table, at);
    rows += read.rows;
    const stored = reader.contentHash(table, at);
    if (read.hash !== stored) check.fault(`${qualifiedName(table)}: stored ${stored}, read ${read.hash}`);
  }
  return check.done(`${LAKE_TABLES.length} tables, ${rows} rows`);
}

/** A hole that is neither filled nor explained may be a loss at the source: that cannot be told from here. */
function checkGaps(reader: LakeReader, source: SourceName): VerifyCheck {
  const check = new Check("gaps", "every hole in the source's own numbering is repaired or explained");
  const gaps = reader.gaps(source);
  for (const gap of gaps) {
    if (gap.state !== "open" && gap.state !== "asked") continue;
    check.unknown(
      `${gap.topic}/${gap.partition} ${gap.fromOffset}–${gap.toOffset}: ${gap.state}, ${gap.reason}`,
    );
  }
  return check.done(`${gaps.length} holes listed`);
}
