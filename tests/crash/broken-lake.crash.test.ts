import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { startCli } from "../support/cli-process.ts";
import { testScope } from "../support/scope.ts";

test("a run whose worker gave up tells the reason on the terminal, although it ends in that moment", async () => {
  const scope = testScope();
  const data = join(scope.folder(), "data");
  mkdirSync(join(data, "lake"), { recursive: true });
  writeFileSync(join(data, "lake", "catalog.sqlite"), "no database at all ".repeat(500));
  const cli = startCli(scope, ["run", "--source", "demo", "--data", data]);
  expect(await cli.ended).toEqual({ code: 1, signal: null });
  expect(cli.stderr()).toContain("the catalog can not be read");
});
