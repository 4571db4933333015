import { once } from "node:events";
import { createServer } from "node:net";
import { join } from "node:path";
import { expect, test } from "../support/launch.ts";
import { firstRow, readStatus, saveScreen, workerPids } from "../support/workbench.ts";

/** An address where nobody listens: every connection is refused, on any machine, with or without a network. */
async function nowhere(): Promise<string> {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  server.close();
  await once(server, "close");
  if (address === null || typeof address === "string") throw new Error("no port");
  return `http://127.0.0.1:${address.port}`;
}

test("a feed that cannot be reached is told in a banner with its reason, and the demo is one click away", async ({
  launch,
  dataFolder,
}) => {
  const data = join(dataFolder, "asked");
  const source = `${await nowhere()}/v2/stream/recentchange`;
  const args = ["--data", data, "--source", source];
  const { app, window } = await launch({ args });
  const banner = window.locator(".banner");
  await expect(banner).toContainText("cannot be reached", { timeout: 20_000 });
  await expect(banner).toContainText(/ECONNREFUSED|refused/);
  await saveScreen(window, "unreachable");
  await banner.getByRole("button", { name: "Use the demo feed" }).click();
  await expect(firstRow(window)).toBeVisible();
  const status = await readStatus(window);
  expect(status.mode).toBe("demo");
  expect(status.dataFolder).not.toBe(data);

  // Back to what was named, not to Wikimedia's feed.
  await expect(window.locator(".tree-row", { hasText: status.liveFeed.source })).toBeVisible();
  await window.locator(".banner").getByRole("button", { name: "Try the live feed" }).click();
  await expect.poll(async () => (await readStatus(window)).ingest?.url).toBe(source);
  expect(await readStatus(window)).toMatchObject({ mode: "live", dataFolder: data });

  // The place of the window is found again by the next start, though the demo ran when it was saved.
  await window.locator(".tree-row", { hasText: "demo feed" }).click();
  await expect.poll(async () => (await readStatus(window)).mode).toBe("demo");
  const bounds = { x: 70, y: 50, width: 1_150, height: 720 };
  await app.evaluate(({ BrowserWindow }, to) => BrowserWindow.getAllWindows()[0]?.setBounds(to), bounds);
  await app.evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows()[0]?.close());
  await app.waitForEvent("close");
  const again = await launch({ args });
  const place = await again.app.evaluate(({ BrowserWindow }) =>
    BrowserWindow.getAllWindows()[0]?.getNormalBounds(),
  );
  expect(place).toEqual(bounds);
  expect((await readStatus(again.window)).mode).toBe("live");
});

test("a first run without the live feed goes on with the demo by itself, in a folder of its own", async ({
  launch,
  dataFolder,
}) => {
  const data = join(dataFolder, "asked");
  // Node 24 takes the proxy from the environment, so the feed is out of reach even where there is a network.
  const proxy = await nowhere();
  const env = {
    NODE_USE_ENV_PROXY: "1",
    HTTPS_PROXY: proxy,
    https_proxy: proxy,
    NO_PROXY: "",
    no_proxy: "",
  };
  const { window } = await launch({ args: ["--data", data], env });
  await expect(window.locator(".banner")).toContainText(/Demo feed.*ECONNREFUSED/, {
    timeout: 25_000,
  });
  await expect(firstRow(window)).toBeVisible();
  const status = await readStatus(window);
  expect(status.mode).toBe("demo");
  expect(status.dataFolder).toBe(`${data}-demo`);
  await expect(window.locator(".banner").getByRole("button", { name: "Try the live feed" })).toBeVisible();
});

test("a demo folder that another window holds is said, and the source that ran goes on", async ({
  launch,
  dataFolder,
}) => {
  const data = join(dataFolder, "asked");
  const holder = await launch({ args: ["--data", `${data}-demo`, "--source", "demo"] });
  await expect(firstRow(holder.window)).toBeVisible();
  const source = `${await nowhere()}/v2/stream/recentchange`;
  const { window } = await launch({ args: ["--data", data, "--source", source] });
  await expect(window.locator(".tree-row", { hasText: "demo feed" })).toBeVisible();
  await window.locator(".tree-row", { hasText: "demo feed" }).click();
  await expect(window.locator(".notification")).toContainText("already runs on this data folder");
  await expect.poll(async () => workerPids(await readStatus(window)).length).toBe(3);
  expect(await readStatus(window)).toMatchObject({ mode: "live", dataFolder: data });
});

test("asking for the demo twice in one moment switches once", async ({ launch, dataFolder }) => {
  const data = join(dataFolder, "asked");
  const source = `${await nowhere()}/v2/stream/recentchange`;
  const { window } = await launch({ args: ["--data", data, "--source", source] });
  const answers = await window.evaluate(() =>
    Promise.all([1, 2].map(() => globalThis.highwater.invoke("source.use-demo", {}))),
  );
  expect(answers).toEqual([
    { ok: true, value: null },
    { ok: true, value: null },
  ]);
  await expect(firstRow(window)).toBeVisible();
});
