import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { askHolder, socketAddress, takeFence } from "./fence.ts";

let folder: string;
beforeEach(() => (folder = mkdtempSync(join(tmpdir(), "hw-fence-"))));
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const info = { pid: process.pid, startedMs: 1_000, version: "1" };
const refuse = async (): Promise<unknown> => ({ error: "unknown request" });

test("the second start is refused with pid and start time of the first, and gets in after it ended", async () => {
  const path = join(folder, "app.sock");
  const first = await takeFence(path, info, refuse);
  await expect(takeFence(path, info, refuse)).rejects.toMatchObject({
    code: "data-folder-in-use",
    details: { pid: process.pid, startedMs: 1_000 },
  });
  await first.close();
  const second = await takeFence(path, info, refuse);
  await second.close();
  expect(existsSync(path)).toBe(false);
});

test("a socket file that a killed process left behind does not lock the folder", async () => {
  const path = join(folder, "app.sock");
  writeFileSync(path, "");
  const fence = await takeFence(path, info, refuse);
  expect(await askHolder(path, { ask: "who" })).toEqual(info);
  await fence.close();
});

test("a folder in the socket's place is named with a remedy, and left alone", async () => {
  const path = join(folder, "app.sock");
  mkdirSync(path);
  await expect(takeFence(path, info, refuse)).rejects.toMatchObject({
    message: expect.stringContaining(path),
  });
  expect(readdirSync(folder)).toEqual(["app.sock"]);
});

test("of many starts at the same moment exactly one wins", async () => {
  const path = join(folder, "app.sock");
  const results = await Promise.allSettled(
    Array.from({ length: 8 }, (_value, index) =>
      takeFence(path, { ...info, pid: index }, refuse, `${process.pid}-${index}`),
    ),
  );
  const winners = results.filter((result) => result.status === "fulfilled");
  expect(winners).toHaveLength(1);
  for (const { value } of winners) await value.close();
});

test("of many starts that find the socket of a killed process exactly one wins, whatever the order of their steps", async () => {
  for (let round = 0; round < 40; round += 1) {
    const path = join(folder, `app-${round}.sock`);
    writeFileSync(path, "");
    const results = await Promise.allSettled(
      Array.from({ length: 5 }, async (_value, index) => {
        for (let turn = (round * (index + 3)) % 6; turn > 0; turn -= 1) {
          await new Promise((resolve) => setImmediate(resolve));
        }
        return takeFence(path, { ...info, pid: index }, refuse, `${round}-${index}`);
      }),
    );
    const winners = results.filter((result) => result.status === "fulfilled");
    expect(winners).toHaveLength(1);
    for (const result of results.filter(({ status }) => status === "rejected"))
      expect(result).toMatchObject({ reason: { code: "data-folder-in-use" } });
    for (const { value } of winners) await value.close();
  }
});

test("a guard that a killed start left behind is waited out", async () => {
  const path = join(folder, "app.sock");
  writeFileSync(path, "");
  writeFileSync(`${path}.taking`, "");
  const fence = await takeFence(path, info, refuse);
  await fence.close();
  expect(existsSync(`${path}.taking`)).toBe(false);
});

test("requests reach the handler and junk on the socket harms nobody", async () => {
  const path = join(folder, "app.sock");
  const fence = await takeFence(path, info, async (request) => ({ got: request }));
  expect(await askHolder(path, { ask: "status" })).toEqual({ got: { ask: "status" } });
  expect(await askHolder(path, "x".repeat(100))).toEqual({ got: "x".repeat(100) });
  await fence.close();
});

test("a path that is too long for a socket falls back to a hash in the runtime folder", () => {
  const long = join("/tmp", "x".repeat(200), "app.sock");
  expect(socketAddress(long, { XDG_RUNTIME_DIR: "/run/user/1" })).toMatch(
    /^\/run\/user\/1\/highwater-[0-9a-f]{24}\.sock$/,
  );
  expect(socketAddress(long, { XDG_RUNTIME_DIR: "relative" })).toMatch(/highwater-[0-9a-f]{24}\.sock$/);
  expect(socketAddress("/a/app.sock", {})).toBe("/a/app.sock");
});

test("a held folder has one socket and nothing beside it, and a start that loses adds nothing", async () => {
  const path = join(folder, "app.sock");
  const fence = await takeFence(path, info, refuse);
  await expect(takeFence(path, info, refuse, "loser")).rejects.toMatchObject({ code: "data-folder-in-use" });
  expect(readdirSync(folder)).toEqual(["app.sock"]);
  await fence.close();
  expect(readdirSync(folder)).toEqual([]);
});
