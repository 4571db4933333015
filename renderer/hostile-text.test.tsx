import { act, cleanup, fireEvent, screen, waitFor } from "@testing-library/react";
import { afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { examplePipeline } from "#main/bridge/status.test-support.ts";
import type { FakeBridge } from "./bridge/fake-bridge.test-support.ts";
import { HOSTILE_TEXTS, type HostileText } from "./components/hostile-texts.test-support.ts";
import { exampleRow } from "./panels/live-edits/live-row.test-support.ts";
import { answerStatements, exampleAnswer } from "./panels/record-room/record-rooms.test-support.ts";
import type { AppStores } from "./stores/app-stores.ts";
import { renderWorkbench } from "./workbench/render-workbench.test-support.tsx";

afterEach(cleanup);
// jsdom says that it is Safari, for which CodeMirror asks the document; no other engine is asked.
beforeAll(() => void Object.assign(document, { execCommand: () => false }));

/** Longest tooltip, in UTF-16 units. */
const TOOLTIP_LIMIT = 1_000;

/** A list of the window: how a text gets into it, and the elements that hold it. */
type List = {
  readonly name: string;
  readonly send: (bridge: FakeBridge, text: string) => void;
  readonly open: (stores: AppStores, bridge: FakeBridge, text: string) => Promise<void>;
  readonly cells: string;
};

async function openRoom(name: string): Promise<void> {
  await act(async () => void fireEvent.click(screen.getByRole("button", { name })));
}

function sendRow(bridge: FakeBridge, text: string): void {
  bridge.rows = () => [exampleRow(900, { title: text, user: text, wiki: text, type: text })];
}

function sendRecord(bridge: FakeBridge, text: string): void {
  sendRow(bridge, "ordinary");
  bridge.record = (logOffset) => ({
    logOffset,
    table: "silver.changes",
    columns: [{ name: "title", value: text }],
    raw: JSON.stringify({ title: text, list: [text], [text]: 1 }),
    bytes: null,
    commit: null,
  });
}

async function openInspector(): Promise<void> {
  await waitFor(() => expect(document.querySelector("[data-offset]")).not.toBeNull());
  fireEvent.keyDown(document.body, { key: "j" });
  await act(async () => void fireEvent.keyDown(document.body, { key: "Enter" }));
  await waitFor(() => expect(document.querySelector(".inspector .content")).not.toBeNull());
}

const LISTS: readonly List[] = [
  {
    name: "Live edits",
    send: sendRow,
    open: async () => undefined,
    cells: ".live-edits .row .title .feed-text",
  },
  {
    name: "users of Live edits",
    send: sendRow,
    open: async () => undefined,
    cells: ".live-edits .row .user .feed-text",
  },
  {
    name: "wikis to filter by",
    send: sendRow,
    open: async () => void fireEvent.keyDown(document.body, { key: "w" }),
    cells: ".pick-popup .feed-text",
  },
  {
    name: "Late arrivals",
    send: (bridge, text) =>
      answerStatements(bridge, [
        [/histogram/, { from_ms: [], to_ms: [], row_count: [] }],
        [/count\(\*\)/, { late_rows: [1], largest_ms: [1_000] }],
        [
          /late_by_ms/,
          {
            log_offset: [900],
            event_ms: [1],
            received_ms: [2],
            watermark_ms: [3],
            late_by_ms: [4],
            wiki: [text],
            type: ["edit"],
            title: [text],
            user_name: [text],
          },
        ],
      ]),
    open: () => openRoom("Late arrivals"),
    cells: ".late-arrivals .row .title .feed-text",
  },
  {
    name: "Dead letters",
    send: (bridge, text) =>
      answerStatements(bridge, [
        [/minutes_ago/, { rule_id: [], reason_code: [], minutes_ago: [], letters: [] }],
        [/GROUP BY rule_id/, { rule_id: ["json"], reason_code: ["not-json"], letters: [1], last_ms: [1] }],
        [
          /left\(raw/,
          {
            log_offset: [900],
            received_ms: [1],
            rule_id: ["json"],
            reason_code: ["not-json"],
            size_bytes: [9],
            head: [text],
          },
        ],
      ]),
    open: () => openRoom("Dead letters"),
    cells: ".dead-letters .row .first-bytes .feed-text",
  },
  {
    name: "the inspector's title",
    send: sendRecord,
    open: openInspector,
    cells: ".inspector .headline .feed-text",
  },
  {
    name: "the inspector's columns",
    send: sendRecord,
    open: openInspector,
    cells: ".inspector .facts dd .feed-text",
  },
  {
    name: "the inspector's JSON",
    send: sendRecord,
    open: async () => {
      await openInspector();
      fireEvent.click(screen.getByRole("tab", { name: "JSON" }));
    },
    cells: ".inspector .json-string",
  },
  {
    name: "the SQL grid",
    send: (bridge, text) => {
      bridge.sql = exampleAnswer({ title: [text] }, 1);
    },
    open: async ({ sqlRoom }) => {
      await openRoom("SQL");
      await act(() => sqlRoom.run());
    },
    cells: ".sql-room .grid .cell .feed-text",
  },
  {
    name: "the newest rows of a table",
    send: (bridge, text) => {
      const sizes = { rows: 1, hotRows: 1, openRows: 0, files: 0, fileBytes: 0 };
      const columns = [{ name: "title", type: "varchar", nullable: true }];
      const table = { schema: "silver", name: "changes", kind: "append", columns, ...sizes } as const;
      bridge.tables = { snapshotId: 1, tables: [table] };
      bridge.sql = exampleAnswer({ title: [text] }, 1);
    },
    open: async () => {
      await openRoom("Tables");
      await act(async () => void fireEvent.click(screen.getByRole("tab", { name: "Newest rows" })));
    },
    cells: ".table-page .grid .cell .feed-text",
  },
  {
    name: "Problems",
    send: () => undefined,
    open: async ({ workbench }, bridge, text) => {
      const hole = { topic: text, fromOffset: 1, toOffset: 2, state: "open" } as const;
      const pipeline = examplePipeline({ activeHoles: { count: 1, newest: [hole] }, ledger: {} });
      await act(async () => bridge.say({ pipeline }));
      await act(async () => workbench.setState({ bottomView: "problems" }));
    },
    cells: ".bottom-list .detail .feed-text",
  },
  {
    name: "the command centre",
    send: (bridge, text) => {
      bridge.sql = exampleAnswer({ wiki: [text], title: [text], edits: [7] }, 1);
    },
    open: async ({ workbench }) => {
      await act(async () => workbench.setState({ palette: "zz" }));
      await waitFor(() => expect(document.querySelector(".palette li")).not.toBeNull());
    },
    cells: ".palette li .feed-text",
  },
];

function expectShown(cell: Element, { shown, hidden, text }: HostileText): void {
  const painted = cell.textContent;
  for (const part of shown)
    expect(painted).toContain(part === "…" && text.length <= painted.length ? "" : part);
  expect(painted).not.toMatch(hidden);
  expect(painted.isWellFormed()).toBe(true);
}

describe.each(LISTS)("in $name", ({ send, open, cells }) => {
  beforeEach(() => Reflect.deleteProperty(globalThis, "wasRun"));

  test.each(HOSTILE_TEXTS)(
    "$name: is one line of isolated text, its marks can be seen, its tooltip ends",
    async (hostile) => {
      const { bridge, stores } = await renderWorkbench((fake) => send(fake, hostile.text));
      await act(async () => bridge.commit(954));
      await open(stores, bridge, hostile.text);
      await waitFor(() => expect(document.querySelector(cells)).not.toBeNull());
      const found = [...document.querySelectorAll(cells)];
      const [cell] = found;
      if (cell === undefined) throw new Error("no cell");
      // The text is somewhere among the cells: the inspector lists others beside it.
      const holder =
        found.find((one) => hostile.shown.every((part) => one.textContent.includes(part))) ?? cell;
      expectShown(holder, hostile);
      for (const one of found) {
        expect([one.tagName, one.getAttribute("dir")]).toEqual(["BDI", "auto"]);
        const title = one.getAttribute("title") ?? "";
        expect(title.length).toBeLessThanOrEqual(TOOLTIP_LIMIT);
        expect(title.isWellFormed()).toBe(true);
        expect(title).not.toMatch(hostile.hidden);
        // Nothing but our own marks is made of it.
        for (const element of one.querySelectorAll("*")) expect(element.className).toBe("mark");
      }
      expect(document.querySelectorAll("img, script, b, i, a, iframe")).toHaveLength(0);
      expect(Reflect.get(globalThis, "wasRun")).toBeUndefined();
    },
  );
});
