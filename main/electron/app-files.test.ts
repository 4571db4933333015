import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { resolveAppFile, serveAppFile } from "./app-files.ts";

describe("files of the window", () => {
  let root = "";
  beforeAll(() => {
    root = mkdtempSync(join(tmpdir(), "highwater-app-files-"));
    writeFileSync(join(root, "index.html"), "<!doctype html>");
  });
  afterAll(() => rmSync(root, { recursive: true, force: true }));

  test("serves the page under the content security policy", async () => {
    const answer = await serveAppFile(root, "app://highwater/index.html?crashed=oom");
    expect(answer.status).toBe(200);
    expect(answer.headers.get("content-security-policy")).toContain("script-src 'self'");
    expect(answer.headers.get("content-type")).toBe("text/html; charset=utf-8");
    expect(await answer.text()).toBe("<!doctype html>");
  });

  test.each([
    "app://highwater/../secret.html",
    "app://highwater/%2e%2e/secret.html",
    "app://highwater/..%2fsecret.html",
    "app://highwater/..%5csecret.html",
    "app://highwater/%00.html",
    "app://highwater/%zz.html",
    "app://highwater//etc/passwd",
    "app://other/index.html",
    "file:///etc/passwd.html",
    "https://highwater/index.html",
    "app://highwater/catalog.sqlite",
    "index.html",
  ])("never leaves its folder for %s", async (address) => {
    const file = resolveAppFile(root, address);
    expect(file === null || file.path.startsWith(`${root}/`)).toBe(true);
    expect((await serveAppFile(root, address)).status).toBe(404);
  });
});
