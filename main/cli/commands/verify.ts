import { resolve } from "node:path";
import { askOnce } from "../ask-query-worker.ts";
import { type Command, EXIT } from "../command.ts";
import { dataFolderFlag } from "../data-flag.ts";
import { textFlag } from "../flags.ts";
import { safeText } from "../table-text.ts";

const MARKS = { ok: "ok         ", broken: "BROKEN     ", "cannot-tell": "cannot tell" } as const;

/** `highwater verify`: recomputes the ledger and every promise from the data. */
export const verifyCommand: Command = {
  name: "verify",
  summary: "check the newest snapshot from its data: nothing lost, nothing counted twice",
  usage: "highwater verify [--manifest FILE] [--data DIR] [--json]",
  examples: ["highwater verify", "highwater verify --data /tmp/hw --manifest sent.ndjson --json"],
  options: { manifest: { type: "string" }, source: { type: "string" } },
  flagHelp: {
    manifest: "what the demo feed says it sent: every record is compared by identity",
    source: "with the default data folder: live, demo or file; default live",
  },
  run: async ({ flags, output }) => {
    const manifest = textFlag(flags, "manifest");
    const response = await askOnce(dataFolderFlag(flags, "live"), {
      ask: "verify",
      source: null,
      manifestPath: manifest === null ? null : resolve(manifest),
      asOf: null,
    });
    if (response.ask !== "verify") return EXIT.cannotTell;
    const { checks, verdict, snapshotId } = response;
    for (const check of checks) {
      output.line(`${MARKS[check.verdict]}  ${check.promise}: ${safeText(check.detail)}`);
      for (const example of check.examples) output.line(`               ${safeText(example)}`);
    }
    output.line(`${MARKS[verdict].trim()} · snapshot ${snapshotId}`);
    output.json({ verdict, snapshotId, checks });
    return verdict === "ok" ? EXIT.ok : verdict === "broken" ? EXIT.broken : EXIT.cannotTell;
  },
};
