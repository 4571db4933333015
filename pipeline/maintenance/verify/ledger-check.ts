import type { SourceName } from "#storage/model/brand.ts";
import type { LedgerEntry } from "#storage/model/ledger.ts";
import { LedgerAccount } from "../../ledger/account.ts";
import type { VerifyCheck } from "../../protocol/query-messages.ts";
import { Check } from "./check.ts";

/** I7: the stored ledger against a recount, by identity and not only by count. */
export function checkLedger(
  source: SourceName,
  recounted: readonly LedgerEntry[],
  stored: readonly LedgerEntry[],
): VerifyCheck {
  const promise = "the ledger equals a recount of the data, by identity, for every hop and stream";
  const check = new Check("I7", promise);
  const right = textsByAccount(recounted);
  // Stored entries may be those of single commits: sum them first.
  const sums = new LedgerAccount();
  for (const { stream, hop, count, identityHash } of stored) sums.addSum(stream, hop, count, identityHash);
  const told = textsByAccount(sums.entries(source));
  for (const account of new Set([...right.keys(), ...told.keys()])) {
    const [found, said] = [right.get(account) ?? "nothing", told.get(account) ?? "nothing"];
    if (found !== said) check.fault(`${account}: recounted ${found}, stored ${said}`);
  }
  return check.done(`${right.size} accounts`);
}

function textsByAccount(entries: readonly LedgerEntry[]): ReadonlyMap<string, string> {
  return new Map(
    entries.map(({ stream, hop, count, identityHash }) => [
      `${hop} of "${stream}"`,
      `${count} (${identityHash})`,
    ]),
  );
}
