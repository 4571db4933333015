import type { Page } from "@playwright/test";

let counts = 0;

/** Rows of a table at a snapshot (null = the newest), counted by a statement of our own and not by the room under test. */
export async function countRows(window: Page, table: string, asOf: number | null): Promise<number> {
  counts += 1;
  const answer = await window.evaluate(
    ([runId, name, at]) =>
      globalThis.highwater.invoke("sql.run", {
        runId: String(runId),
        text: `SELECT count(*)::INTEGER FROM ${name}`,
        asOf: at === null ? null : Number(at),
        limit: 1,
      }),
    [`e2e-count-${counts}`, table, asOf] as const,
  );
  if (!answer.ok) throw new Error(answer.error.message);
  return Number(answer.value.page.rows[0]?.[0]);
}
