import { act, cleanup, fireEvent, screen, waitFor } from "@testing-library/react";
import { afterEach, describe, expect, test } from "vitest";
import { examplePipeline, exampleSettings } from "#main/bridge/status.test-support.ts";
import { AppError, toWireError } from "#storage/model/errors.ts";
import { DEFAULT_RESULT_SETTINGS } from "#storage/model/settings.ts";
import type { FakeBridge } from "../../bridge/fake-bridge.test-support.ts";
import { renderWorkbench } from "../../workbench/render-workbench.test-support.tsx";

afterEach(cleanup);

async function openSettings(prepare: (bridge: FakeBridge) => void = () => undefined) {
  const rendered = await renderWorkbench(prepare);
  await act(async () => void fireEvent.keyDown(document.body, { key: ",", ctrlKey: true }));
  await screen.findByRole("region", { name: "All settings" });
  return rendered;
}

async function type(label: string, text: string): Promise<void> {
  const input = screen.getByLabelText(label);
  await act(async () => {
    fireEvent.change(input, { target: { value: text } });
  });
  await act(async () => void fireEvent.keyDown(input, { key: "Enter" }));
}

const saved = (bridge: FakeBridge): unknown =>
  bridge.called("settings.save").map(({ args }) => JSON.parse((args as { text: string }).text) as unknown);

describe("settings", () => {
  test("a typed duration is saved at once, only what differs from the defaults, and can be undone", async () => {
    const { bridge } = await openSettings();
    await type("Allowed lateness", "10 s");
    expect(saved(bridge)).toEqual([{ result: { allowedLatenessMs: 10_000 } }]);
    expect(await screen.findByText("Allowed lateness: 2 min → 10 s")).toBeTruthy();
    fireEvent.click(screen.getByRole("button", { name: "Undo" }));
    await waitFor(() => expect(saved(bridge)).toHaveLength(2));
  });

  test("a wrong value stays in its field with what is wrong, and nothing is saved", async () => {
    const { bridge } = await openSettings();
    await type("Allowed lateness", "3 d");
    expect(screen.getByText("At most 1 d.")).toBeTruthy();
    expect(screen.getByLabelText("Allowed lateness").getAttribute("aria-invalid")).toBe("true");
    expect(saved(bridge)).toEqual([]);
  });

  test("what is in force stands beside the wish, with the offset since which it holds", async () => {
    const { bridge } = await openSettings((fake) => {
      const settings = { ...exampleSettings().settings };
      fake.settings = exampleSettings({
        settings: { ...settings, result: { ...settings.result, allowedLatenessMs: 10_000 } },
      });
    });
    const row = () => document.querySelector('[data-path="result.allowedLatenessMs"]');
    expect(row()?.textContent).toContain("in force is 2 min; this waits for its record in the log");
    const inForce = { ...DEFAULT_RESULT_SETTINGS, allowedLatenessMs: 10_000 };
    await act(async () =>
      bridge.say({
        pipeline: examplePipeline({ settings: { sinceOffset: 4_321, inForce, rulesStillOn: [] } }),
      }),
    );
    expect(row()?.textContent).toContain("in force since offset 4,321");
  });

  test("rules are switched off by their names, and search finds settings by every word", async () => {
    const { bridge } = await openSettings();
    await act(async () => void fireEvent.click(screen.getByLabelText(/wiki-domain/)));
    expect(saved(bridge)).toEqual([{ result: { disabledRules: ["wiki-domain"] } }]);
    fireEvent.change(screen.getByLabelText("Search settings"), { target: { value: "user-agent contact" } });
    expect(document.querySelectorAll(".setting")).toHaveLength(1);
  });

  test("JSON: mistakes are said and nothing is lost; a file changed outside meanwhile is never overwritten silently", async () => {
    const { bridge, stores } = await openSettings();
    await act(async () => stores.settingsRoom.setMode("json"));
    const text = () => screen.getByLabelText<HTMLTextAreaElement>("Settings as JSON");
    fireEvent.change(text(), { target: { value: '{"lake": 1}' } });
    bridge.error = toWireError(new AppError("usage", "settings.json: lake: expected object"));
    await act(async () => void fireEvent.keyDown(document.body, { key: "s", ctrlKey: true }));
    expect((await screen.findByRole("alert")).textContent).toContain("lake: expected object");
    expect(text().value).toBe('{"lake": 1}');

    bridge.error = null;
    bridge.settings = exampleSettings({ text: '{"theirs": 1}', changes: 1 });
    await act(async () =>
      bridge.say({ settingsFile: { path: bridge.settings.path, problem: null, changes: 1 } }),
    );
    expect(await screen.findByText(/changed by somebody else/)).toBeTruthy();
    expect(text().value).toBe('{"lake": 1}');
    fireEvent.click(screen.getByRole("button", { name: "Take the file’s text" }));
    expect(text().value).toBe('{"theirs": 1}');
  });

  test("a file that cannot be used says why, and that what was in force stays", async () => {
    await openSettings((fake) => {
      fake.settings = exampleSettings({
        text: "{",
        problem: "/hw/settings.json is not JSON (line 1 column 2).",
      });
    });
    expect(screen.getByRole("alert").textContent).toContain("line 1 column 2");
    expect(screen.getByRole("alert").textContent).toContain("stays so until it is mended");
  });
});
