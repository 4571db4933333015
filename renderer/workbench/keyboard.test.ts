import { expect, test } from "vitest";
import { COMMANDS } from "./commands.ts";
import { lookUpStroke, nameStroke, showKeys, type Stroke } from "./keyboard.ts";

const plain: Stroke = { key: "a", ctrlKey: false, metaKey: false, shiftKey: false, altKey: false };

test.each([
  [{ ...plain, key: "P", ctrlKey: true, shiftKey: true }, "mod+shift+p"],
  [{ ...plain, key: " " }, "space"],
  [{ ...plain, key: "/", shiftKey: true }, "/"],
  [{ ...plain, key: "F1" }, "f1"],
  [{ ...plain, key: "Escape" }, "escape"],
])("names a stroke as the commands write it", (stroke, name) => {
  expect(nameStroke(stroke, false)).toBe(name);
});

test("uses Cmd for Ctrl on macOS", () => {
  expect(nameStroke({ ...plain, key: "b", metaKey: true }, true)).toBe("mod+b");
  expect(nameStroke({ ...plain, key: "b", ctrlKey: true }, true)).toBe("b");
});

test("waits for the second stroke of a chord and runs the command then", () => {
  const first = lookUpStroke(null, "mod+k", "live-edits");
  expect(first).toEqual({ kind: "prefix", prefix: "mod+k" });
  expect(lookUpStroke("mod+k", "mod+t", "live-edits")).toMatchObject({
    kind: "run",
    command: { id: "theme.next" },
  });
  expect(lookUpStroke("mod+k", "x", "live-edits").kind).toBe("none");
});

test("a panel's keys count only while it is open; the window's always", () => {
  expect(lookUpStroke(null, "j", "live-edits")).toMatchObject({ command: { id: "live-edits.next-row" } });
  expect(lookUpStroke(null, "j", "no-such-panel").kind).toBe("none");
  expect(lookUpStroke(null, "f1", "no-such-panel")).toMatchObject({ command: { id: "workbench.palette" } });
});

test("no two commands that one panel hears share a key, and no two an id", () => {
  const panels = new Set(COMMANDS.map((command) => command.panel));
  for (const open of panels) {
    const heard = COMMANDS.filter(({ panel }) => panel === undefined || panel === open);
    const keys = heard.flatMap((command) => command.keys);
    expect(new Set(keys).size).toBe(keys.length);
  }
  expect(new Set(COMMANDS.map((command) => command.id)).size).toBe(COMMANDS.length);
});

test("shows keys as they are printed on a keyboard", () => {
  const shown = Object.fromEntries(COMMANDS.map((command) => [command.id, showKeys(command)]));
  expect(shown["workbench.palette"]).toBe("Ctrl+Shift+P");
  expect(shown["theme.next"]).toBe("Ctrl+K Ctrl+T");
  expect(shown["source.pause"]).toBe("");
});
