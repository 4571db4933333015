import { parseManifest, type ManifestEntry } from "#pipeline/demo-feed/manifest/manifest-format.ts";
import { type Dump, rowsOf, setAsideSha, shaOf } from "./dump-lake.ts";

/** Where the servings of one record ended. */
type Ends = { bronze: number; dead: number; filtered: number; duplicate: number; repeat: number };

/** What a judgement counted. */
export type Judgement = { readonly distinct: number; readonly servings: number; readonly received: number };

/**
 * Judges a lake by the feed's manifest, by the bytes' hash and independently of `verify`: every record served is in exactly
 * the table of its class, once; all its other receptions are duplicates or repeats; nothing else is in the lake.
 * `exact`: every serving was received (no process or connection died with bytes on their way), else at most as many.
 */
export async function judgeByManifest(
  dump: Dump,
  manifestPath: string,
  servings: "exact" | "at most",
): Promise<Judgement> {
  const ends = endsBySha(dump);
  const { header, entries } = await parseManifest(manifestPath);
  if (!header.complete) throw new Error("the manifest was written before the feed ended");
  const problems: string[] = [];
  let [distinct, served, received] = [0, 0, 0];
  for await (const entry of entries()) {
    const end = ends.get(entry.sha256) ?? { bronze: 0, dead: 0, filtered: 0, duplicate: 0, repeat: 0 };
    ends.delete(entry.sha256);
    const problem = problemOf(entry, end, servings === "exact");
    if (problem !== null) problems.push(`${entry.class} k=${entry.k} id=${entry.id}: ${problem}`);
    distinct += entry.served > 0 ? 1 : 0;
    served += entry.served;
    received += totalOf(end);
  }
  for (const sha of ends.keys()) problems.push(`in the lake, never served: ${sha}`);
  if (problems.length > 0)
    throw new Error(
      `${problems.length} records differ from the manifest:\n  ${problems.slice(0, 8).join("\n  ")}`,
    );
  return { distinct, servings: served, received };
}

function endsBySha(dump: Dump): Map<string, Ends> {
  const ends = new Map<string, Ends>();
  const endOf = (sha: string): Ends => {
    const known = ends.get(sha) ?? { bronze: 0, dead: 0, filtered: 0, duplicate: 0, repeat: 0 };
    ends.set(sha, known);
    return known;
  };
  for (const row of rowsOf(dump, "bronze.recentchange")) endOf(shaOf(row)).bronze += 1;
  for (const row of rowsOf(dump, "main.dead_letters")) endOf(setAsideSha(row)).dead += 1;
  for (const row of rowsOf(dump, "main.discards")) {
    const end = endOf(setAsideSha(row));
    const reason = String(row["reason"]);
    if (reason === "filtered" || reason === "duplicate" || reason === "repeat") end[reason] += 1;
    else throw new Error(`offset ${String(row["log_offset"])} is a discard of kind ${reason}`);
  }
  return ends;
}

function totalOf(end: Ends): number {
  return end.bronze + end.dead + end.filtered + end.duplicate + end.repeat;
}

function problemOf(entry: ManifestEntry, end: Ends, isExact: boolean): string | null {
  const found = JSON.stringify(end);
  const received = totalOf(end);
  if (received > entry.served || (isExact && received !== entry.served))
    return `served ${entry.served} times, received ${received}: ${found}`;
  if (entry.served === 0) return null;
  if (received === 0) return `served ${entry.served} times, lost`;
  return isWhereItBelongs(entry, end, received) ? null : `not in the table of its class, once: ${found}`;
}

function isWhereItBelongs(entry: ManifestEntry, end: Ends, received: number): boolean {
  switch (entry.class) {
    case "canary":
      return end.filtered === received;
    case "malformed":
    case "oversized":
      return end.dead === 1 && end.repeat === received - 1;
    case "ok":
    case "late":
      return end.bronze === 1 && end.duplicate === received - 1;
  }
}
