import type { FakeBridge } from "../../bridge/fake-bridge.test-support.ts";
import type { CommandResults } from "#main/contract/commands.ts";
import type { WireCell } from "#pipeline/protocol/query-messages.ts";

type Table = Readonly<Record<string, readonly WireCell[]>>;

/** An answer whose columns are given by name, each with the cells of all rows. */
export function exampleAnswer(columns: Table, snapshotId: number): CommandResults["sql.run"] {
  const names = Object.keys(columns);
  const length = columns[names[0] ?? ""]?.length ?? 0;
  const rows = Array.from({ length }, (_, at) => names.map((name) => columns[name]?.[at] ?? null));
  const page = { columns: names.map((name) => ({ name, type: "DOUBLE" })), rows };
  return { snapshotId, page, total: length, truncated: false, elapsedMs: 1 };
}

/** Answers each statement by the first of `answers` whose pattern it matches; as a lake does, at the snapshot asked for. */
export function answerStatements(
  bridge: FakeBridge,
  answers: readonly (readonly [pattern: RegExp, columns: Table])[],
): void {
  Object.defineProperty(bridge, "sql", {
    get: () => {
      const args = bridge.called("sql.run").at(-1)?.args;
      const text = typeof args === "object" && args !== null && "text" in args ? String(args.text) : "";
      const found = answers.find(([pattern]) => pattern.test(text));
      if (found === undefined) throw new Error(`no answer for: ${text}`);
      return exampleAnswer(found[1], 27_310);
    },
  });
}
