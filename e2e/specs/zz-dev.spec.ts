import { expect, test } from "../support/launch.ts";
test("dev", async ({ launch }) => {
  const { window } = await launch({ args: ["--source", "demo"] });
  window.on("console", (m) => console.log("CONSOLE", m.text()));
  await expect(window.locator(".rows .row").first()).toBeVisible();
  await window.waitForTimeout(1500);
  await window.screenshot({ path: "/tmp/shots/1.png" });
  await window.keyboard.press("j"); await window.keyboard.press("j"); await window.keyboard.press("Enter");
  await window.waitForTimeout(800);
  await window.screenshot({ path: "/tmp/shots/2.png" });
  await window.getByRole("tab", { name: "JSON" }).click();
  await window.keyboard.press("Control+k"); await window.keyboard.press("Control+t");
  await window.waitForTimeout(800);
  await window.screenshot({ path: "/tmp/shots/3.png" });
  await window.keyboard.press("F1");
  await window.waitForTimeout(300);
  await window.screenshot({ path: "/tmp/shots/4.png" });
});
