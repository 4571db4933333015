import { createHash } from "node:crypto";
import { mkdir, readdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { TEST_TABLES } from "../lake/lake.test-support.ts";
import { type ColumnType, qualifiedName } from "../model/table.ts";
import type { ExportManifest } from "./export-manifest.ts";
import type { ExportSetRequest } from "./export-set.ts";
import { commit, never, withSession } from "./query.test-support.ts";

const ALL = { tables: "all", asOf: null, format: "parquet", writtenBy: "Highwater test" } as const;

async function readManifest(folder: string): Promise<ExportManifest> {
  return JSON.parse(await readFile(join(folder, "manifest.json"), "utf8")) as ExportManifest;
}

/** Types as DuckDB names them: instants with their zone, numbers as numbers. */
const DUCKDB_TYPES: Readonly<Record<ColumnType, string>> = {
  int64: "BIGINT",
  boolean: "BOOLEAN",
  varchar: "VARCHAR",
  json: "JSON",
  timestamptz: "TIMESTAMP WITH TIME ZONE",
  blob: "BLOB",
};

/** Every file of a folder by name, as its sha256. */
async function hashes(folder: string): Promise<Record<string, string>> {
  const names = (await readdir(folder)).toSorted();
  const hashOf = async (name: string): Promise<[string, string]> => [
    name,
    createHash("sha256")
      .update(await readFile(join(folder, name)))
      .digest("hex"),
  ];
  return Object.fromEntries(await Promise.all(names.map(hashOf)));
}

test.each(["parquet", "csv", "ndjson"] as const)(
  "the same snapshot gives the same bytes as %s, also after its rows were sealed and newer ones came",
  async (format) => {
    await withSession(async (lake, session) => {
      await commit(lake, 40);
      await lake.writer.seal(lake.clock.nowMs());
      await commit(lake, 30);
      const at = lake.writer.reader.latest();
      const [first, second] = ["first", "second"].map((name) => join(lake.folder.root, name));
      await session.exportSet({ ...ALL, format, asOf: at, folder: first ?? "" }, never);
      await commit(lake, 20);
      await lake.writer.seal(lake.clock.nowMs());
      await commit(lake, 20);
      await session.exportSet({ ...ALL, format, asOf: at, folder: second ?? "" }, never);
      const written = await hashes(first ?? "");
      expect(await hashes(second ?? "")).toEqual(written);
      expect(Object.keys(written)).toHaveLength(TEST_TABLES.length + 1);
    });
  },
);

test("the manifest says of each file its hash, rows, what is settled and what open, order, columns, and of what snapshot", async () => {
  await withSession(async (lake, session) => {
    await commit(lake, 40);
    const folder = join(lake.folder.root, "set");
    const result = await session.exportSet({ ...ALL, folder }, never);
    const manifest = await readManifest(folder);
    const written = await hashes(folder);
    expect(manifest.snapshot.id).toBe(lake.writer.reader.latest());
    expect(Date.parse(manifest.snapshot.committed)).toBeGreaterThan(0);
    expect(manifest.files.map(({ table }) => table)).toEqual(TEST_TABLES.map(qualifiedName).toSorted());
    for (const file of manifest.files) {
      expect(file.sha256).toBe(written[file.file]);
      const def = TEST_TABLES.find((table) => qualifiedName(table) === file.table);
      expect(file.columns.map(({ name, nullable }) => ({ name, nullable }))).toEqual(
        def?.columns.map(({ name, nullable }) => ({ name, nullable })),
      );
      expect(file.orderedBy).toEqual(def?.key);
      expect((file.settledRows ?? 0) + (file.openRows ?? 0)).toBe(file.rows);
      expect(file.columns.map(({ type }) => type)).toEqual(
        def?.columns.map(({ type }) => DUCKDB_TYPES[type]),
      );
    }
    expect(result.files.map(({ sha256 }) => sha256)).toEqual(manifest.files.map(({ sha256 }) => sha256));
  });
});

test("progress names each table in turn and never goes back", async () => {
  await withSession(async (lake, session) => {
    await commit(lake, 10);
    const told: [number | null, string][] = [];
    const folder = join(lake.folder.root, "set");
    await session.exportSet({ ...ALL, folder }, never, (done, what) => void told.push([done, what]));
    const shares = told.map(([done]) => done ?? 0);
    expect(shares).toEqual(shares.toSorted((left, right) => left - right));
    expect(shares.at(-1)).toBe(1);
    const named = [...new Set(told.map(([, what]) => what))];
    expect(named).toEqual([...TEST_TABLES.map(qualifiedName).toSorted(), "manifest"]);
  });
});

test("a cancelled export leaves nothing behind, neither beside its target nor in tmp", async () => {
  await withSession(async (lake, session) => {
    await commit(lake, 10);
    const cancel = new AbortController();
    const run = session.exportSet({ ...ALL, folder: join(lake.folder.root, "set") }, cancel.signal, () =>
      cancel.abort(),
    );
    await expect(run).rejects.toMatchObject({ code: "statement-cancelled" });
    expect((await readdir(lake.folder.root)).filter((name) => name.startsWith("set"))).toEqual([]);
    expect((await readdir(lake.folder.tmp)).filter((name) => name.startsWith("export-"))).toEqual([]);
  });
});

test("what a killed export left beside the target goes with the next one; what looks alike or belongs to a living process stays", async () => {
  await withSession(async (lake, session) => {
    await commit(lake, 5);
    const id = "0f1e2d3c-4b5a-4978-8695-a4b3c2d1e0f9";
    // No process has the largest number that Linux allows, or one more.
    const [dead, living, mine] = [`set.4194305-${id}.tmp`, `set.${process.pid}-${id}.tmp`, "set.notes.tmp"];
    for (const name of [dead, living, mine]) await mkdir(join(lake.folder.root, name));
    await session.exportSet({ ...ALL, folder: join(lake.folder.root, "set") }, never);
    const left = (await readdir(lake.folder.root)).filter((name) => name.startsWith("set."));
    expect(left.toSorted()).toEqual([living, mine].toSorted());
  });
});

test("an empty folder is taken, one with files, a file, the lake itself and unknown tables are refused", async () => {
  await withSession(async (lake, session) => {
    await commit(lake, 5);
    const run = (folder: string, more: Partial<ExportSetRequest> = {}) =>
      session.exportSet({ ...ALL, folder, ...more }, never);
    const [empty, full, file] = ["empty", "full", "file"].map((name) => join(lake.folder.root, name));
    await mkdir(empty ?? "");
    await mkdir(full ?? "");
    await writeFile(join(full ?? "", "mine.txt"), "mine");
    await writeFile(file ?? "", "mine");
    expect((await run(empty ?? "")).files).toHaveLength(TEST_TABLES.length);
    for (const folder of [full ?? "", file ?? "", join(lake.folder.lakeData, "x"), lake.folder.lake])
      await expect(run(folder)).rejects.toMatchObject({ code: "export-failed" });
    await expect(run(join(lake.folder.root, "new"), { tables: ["gold.nothing"] })).rejects.toMatchObject({
      code: "table-unknown",
    });
    expect(await readFile(join(full ?? "", "mine.txt"), "utf8")).toBe("mine");
  });
});
