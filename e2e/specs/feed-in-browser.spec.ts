import { expect, test } from "../support/launch.ts";
import { readStatus } from "../support/workbench.ts";

test("a browser's own EventSource reads the demo feed: message events with ids and JSON data", async ({
  launch,
}) => {
  const { app, window } = await launch({ args: ["--source", "demo"] });
  await expect.poll(async () => (await readStatus(window)).feed?.url ?? null).not.toBeNull();
  const { feed } = await readStatus(window);
  // A page of its own session: nothing of the app's own window (security policy, request filter) reaches it.
  const seen = await app.evaluate(async ({ BrowserWindow }, url) => {
    const page = new BrowserWindow({
      show: false,
      webPreferences: { partition: "plain-browser", sandbox: true },
    });
    try {
      await page.loadURL("data:text/html,<title>reader</title>");
      return (await page.webContents.executeJavaScript(`new Promise((resolve) => {
        const seen = [];
        const source = new EventSource(${JSON.stringify(url)});
        source.onmessage = (event) => {
          seen.push({ id: event.lastEventId, data: event.data });
          if (seen.length < 5) return;
          source.close();
          resolve(seen);
        };
      })`)) as { id: string; data: string }[];
    } finally {
      page.destroy();
    }
  }, feed?.url ?? "");
  expect(seen).toHaveLength(5);
  for (const { id, data } of seen) {
    expect(JSON.parse(id)).toEqual(expect.arrayContaining([expect.objectContaining({ partition: 0 })]));
    expect(JSON.parse(data)).toMatchObject({ meta: { stream: "mediawiki.recentchange" } });
  }
});
