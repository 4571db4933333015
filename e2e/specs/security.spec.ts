import { expect, test } from "../support/launch.ts";
import { firstRow, readStatus } from "../support/workbench.ts";

const DEMO = ["--source", "demo"];

test("the page has no Node, no eval, no way out, and only the bridge", async ({ launch }) => {
  const { app, window } = await launch({ args: DEMO });
  await expect(firstRow(window)).toBeVisible();
  const found = await window.evaluate(async () => {
    const names = ["require", "process", "Buffer", "module", "ipcRenderer"].filter(
      (name) => name in globalThis,
    );
    // By string, which the policy must refuse; CDP's own evaluate would pass it by.
    await new Promise((resolve) => {
      globalThis.setTimeout(resolve, 100);
      try {
        // oxlint-disable-next-line no-implied-eval
        globalThis.setTimeout("window.evalRan = true");
      } catch {
        // Trusted Types refuse the string at once; without them the policy would, when the time is up.
      }
    });
    const script = document.createElement("script");
    let isInlineAllowed = true;
    try {
      script.textContent = "window.inlineRan = true";
      document.body.append(script);
    } catch {
      // Trusted Types refuse the text itself.
      isInlineAllowed = false;
    }
    const outside = await fetch("https://example.org/").then(
      () => "answered",
      () => "refused",
    );
    return {
      names,
      evalRan: "evalRan" in globalThis,
      inlineRan: "inlineRan" in globalThis && isInlineAllowed,
      opened: globalThis.open("https://en.wikipedia.org/") !== null,
      outside,
      bridge: Object.keys(globalThis.highwater).toSorted(),
    };
  });
  expect(found).toEqual({
    names: [],
    evalRan: false,
    inlineRan: false,
    opened: false,
    outside: "refused",
    bridge: ["invoke", "on", "pathOf"],
  });
  const preferences = await app.evaluate(({ BrowserWindow }) => {
    const [first] = BrowserWindow.getAllWindows();
    return { windows: BrowserWindow.getAllWindows().length, url: first?.webContents.getURL() };
  });
  expect(preferences).toEqual({ windows: 1, url: "app://highwater/index.html" });
});

test("navigation away is denied and files outside the page's folder are not served", async ({ launch }) => {
  const { window } = await launch({ args: DEMO });
  await expect(firstRow(window)).toBeVisible();
  await window.evaluate(() => globalThis.location.assign("https://en.wikipedia.org/"));
  const statuses = await window.evaluate(() =>
    Promise.all(
      ["/../package.json", "/%2e%2e/main/main.js", "/..%2fmain%2fmain.js", "/main.js"].map((path) =>
        fetch(path).then((answer) => answer.status),
      ),
    ),
  );
  expect(statuses).toEqual([404, 404, 404, 404]);
  expect(window.url()).toBe("app://highwater/index.html");
  // Not by a locator: Playwright waits for the end of a navigation that was denied.
  expect(await window.evaluate(() => document.querySelectorAll(".rows .row").length)).toBeGreaterThan(0);
});

test("main refuses bad arguments of the page with a code, and a bad link with a reason", async ({
  launch,
}) => {
  const { window } = await launch({ args: DEMO });
  await expect(firstRow(window)).toBeVisible();
  const answers = await window.evaluate(async () => {
    const { invoke } = globalThis.highwater;
    const call = (command: string, args: unknown): unknown => Reflect.apply(invoke, null, [command, args]);
    return [
      await call("files.read", { path: "/etc/passwd" }),
      await call("live.rows", { fromOffset: -1, toOffset: 1, limit: 1 }),
      await call("live.record", { logOffset: "1" }),
      await call("link.open", { url: "javascript:alert(1)" }),
    ];
  });
  expect(answers).toMatchObject([
    { ok: false, error: { code: "usage" } },
    { ok: false, error: { code: "usage" } },
    { ok: false, error: { code: "usage" } },
    { ok: true, value: { opened: false } },
  ]);
});

test("a crashed page becomes a card that loads the window again; the workers never notice", async ({
  launch,
}) => {
  const { app, window } = await launch({ args: DEMO });
  await expect(firstRow(window)).toBeVisible();
  const before = await readStatus(window);
  // A script given to a page whose process is gone never answers, so each try has its own end.
  const read = (script: string) =>
    app.evaluate(({ BrowserWindow }, code) => {
      const contents = BrowserWindow.getAllWindows()[0]?.webContents;
      const answer: Promise<unknown> = contents?.executeJavaScript(code) ?? Promise.resolve(null);
      const end = new Promise((resolve) => setTimeout(resolve, 500, "no answer"));
      return Promise.race([answer.catch(() => "not yet"), end]);
    }, script);
  await app.evaluate(({ BrowserWindow }) =>
    BrowserWindow.getAllWindows()[0]?.webContents.forcefullyCrashRenderer(),
  );
  const TITLE = "document.querySelector('.error-card h2')?.textContent ?? ''";
  await expect.poll(() => read(TITLE)).toContain("The window crashed");
  await read("document.querySelector('.error-card button.primary').click()");
  await expect.poll(() => read("document.querySelectorAll('.rows .row').length")).toBeGreaterThan(0);
  const pids = await read(
    "window.highwater.invoke('app.status', {}).then((a) => JSON.stringify(a.value.workers.map((w) => w.phase.pid)))",
  );
  expect(pids).toBe(JSON.stringify(before.workers.map(({ phase }) => ("pid" in phase ? phase.pid : null))));
});
