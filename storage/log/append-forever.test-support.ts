/**
 * A process that takes a log over and appends until it is killed: `node append-forever.test-support.ts <root>`, with a
 * failpoint armed from the environment. Every event's text is its number; the cursor is the number of the last one.
 * Prints the cursor after each append (what was acknowledged) and keeps the log small by rotation and retention.
 */
import { join } from "node:path";
import { toOffset, toSourceName } from "../model/brand.ts";
import { isFailpointName } from "../model/failpoints.ts";
import { armFailpointFromEnv } from "../failpoint/failpoint.ts";
import { event } from "./log-fixture.test-support.ts";
import { NEW_LAKE, openLogWriter } from "./log-writer.ts";

const root = process.argv[2];
if (root === undefined) throw new Error("the folder is missing");
const source = toSourceName("demo");
armFailpointFromEnv(isFailpointName);
const writer = openLogWriter({
  folder: join(root, "log", source),
  source,
  quarantine: join(root, "quarantine"),
  lake: () => NEW_LAKE,
  settings: null,
  limits: { segmentMaxBytes: 4_096, segmentMaxAgeMs: 3_600_000 },
});
for (let sent = Number(writer.cursor() ?? "0"); ;) {
  const records = Array.from({ length: 40 }, (_, index) => event(String(sent + index + 1), Date.now()));
  sent += records.length;
  writer.append(records, String(sent), writer.counters());
  process.stdout.write(`${sent}\n`);
  const rotated = writer.rotateIfDue(Date.now());
  const keepFrom = toOffset(Math.max(0, writer.head() - 500));
  if (rotated) writer.applyRetention({ keepFrom, keepMs: -1, keepBytes: 0, nowMs: Date.now() });
}
