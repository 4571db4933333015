import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { commit, never, withSession } from "./query.test-support.ts";
import type { QuerySession, SqlResult } from "./query-session.ts";

const page = (session: QuerySession, text: string, limit = 1_000): Promise<SqlResult> =>
  session.sql({ text, asOf: null, limit, cellChars: 100 }, never);

test("C29: 200 cells of 1.8 MB come as their beginnings with their size, and each can be had whole", async () => {
  await withSession(async (lake, session) => {
    await commit(lake, 1);
    const text = `SELECT repeat('<a b="c">', 200000) || i AS big, i FROM range(200) t(i)`;
    const result = await page(session, text);
    expect(result).toMatchObject({ total: 200, truncated: false });
    expect(result.rows).toHaveLength(200);
    expect(result.rows.every(([big]) => typeof big === "string" && big.length === 100)).toBe(true);
    expect(result.cut).toHaveLength(200);
    expect(result.cut[7]).toEqual({ row: 7, column: 0, bytes: 1_800_001 });
    const cells = [199, 7].map((row) => ({ row, column: 0 }));
    const whole = await session.cells(result.keptId ?? "", cells);
    expect(whole).toEqual([199, 7].map((i) => `${'<a b="c">'.repeat(200_000)}${i}`));
  });
});

test("a cut never splits a character, and short cells, numbers and nulls stay as they are", async () => {
  await withSession(async (lake, session) => {
    await commit(lake, 1);
    const text =
      "SELECT repeat('x', 99) || repeat('😀', 9) AS a, repeat('é', 100) AS b, NULL, 7, [range(300)] AS l";
    const { rows, cut, keptId } = await page(session, text);
    expect(rows[0]?.slice(0, 4)).toEqual(["x".repeat(99), "é".repeat(100), null, 7]);
    expect(cut.map(({ column }) => column)).toEqual([0, 4]);
    expect(await session.cells(keptId ?? "", [{ row: 0, column: 0 }])).toEqual([
      `${"x".repeat(99)}${"😀".repeat(9)}`,
    ]);
    await expect(session.cells(keptId ?? "", [{ row: 0, column: 1 }])).rejects.toMatchObject({
      code: "usage",
    });
  });
});

test("the oldest of many kept results is forgotten with its file, and says what to do", async () => {
  await withSession(async (lake, session) => {
    await commit(lake, 1);
    const kept: string[] = [];
    for (let i = 0; i < 20; i += 1)
      kept.push((await page(session, "SELECT repeat('x', 200)")).keptId ?? "none");
    const gone = session.cells(kept[0] ?? "", [{ row: 0, column: 0 }]);
    await expect(gone).rejects.toMatchObject({
      code: "result-gone",
      message: expect.stringMatching(/run it again/u) as string,
    });
    expect(await session.cells(kept[19] ?? "", [{ row: 0, column: 0 }])).toEqual(["x".repeat(200)]);
    const query = join(lake.folder.tmp, "query");
    const [folder = ""] = (await readdir(query)).filter((name) => name.startsWith("cells-"));
    expect((await readdir(join(query, folder))).length).toBe(16);
    await session.close();
    expect((await readdir(query)).filter((name) => name.startsWith("cells-"))).toEqual([]);
  });
});

test("more than one answer may carry is refused with the remedy, and a run that fails keeps nothing", async () => {
  await withSession(async (lake, session) => {
    await commit(lake, 1);
    const { keptId } = await page(session, "SELECT repeat('x', 2000000) FROM range(40)");
    const all = Array.from({ length: 40 }, (_, row) => ({ row, column: 0 }));
    await expect(session.cells(keptId ?? "", all)).rejects.toThrow(/save the result as a file/u);
    await expect(
      page(
        session,
        "SELECT CASE WHEN i < 3000 THEN repeat('1', 200) ELSE 'a' END::BIGNUM FROM range(5000) t(i)",
      ),
    ).rejects.toMatchObject({ code: "statement-failed" });
    const query = join(lake.folder.tmp, "query");
    const [folder = ""] = (await readdir(query)).filter((name) => name.startsWith("cells-"));
    expect((await readdir(join(query, folder))).length).toBe(1);
  });
});
