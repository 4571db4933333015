import type { RecordView } from "#pipeline/protocol/query-messages.ts";
import { call } from "#renderer/bridge/call.ts";
import { formatCount } from "#renderer/components/format.ts";
import { cutText, showMarks } from "#renderer/components/visible-marks.ts";
import { parseJsonText, stringAt, type JsonNode } from "#renderer/components/json-tree/parse-json-text.ts";
import type { AppStores } from "#renderer/stores/app-stores.ts";
import { recordLinks } from "./record-links.ts";

/** Characters of a refused address that are told. */
const SHOWN_URL = 200;

type Ports = Pick<AppStores, "bridge" | "notifications">;

/** What of a record can be copied. */
export type Copied = "json" | "title" | "link";
/** Where a record leads. */
export type Led = "page" | "diff";

const NAMES = { json: "JSON", title: "title", link: "link", page: "page", diff: "difference" } as const;

async function readRecord({ bridge, notifications }: Ports, offset: number): Promise<RecordView | null> {
  const answer = await call(bridge, "live.record", { logOffset: offset });
  const record = answer.ok ? answer.value.record : null;
  if (record === null) {
    const why = answer.ok ? "No snapshot that is kept has it." : answer.error.message;
    notifications.tell({ tone: "bad", text: `Record ${formatCount(offset)} could not be read`, detail: why });
  }
  return record;
}

function partOf(record: RecordView, json: JsonNode | null, what: Copied): string | null {
  switch (what) {
    case "json":
      return record.raw;
    case "title":
      return stringAt(json, "title");
    case "link":
      return recordLinks(json).page;
  }
}

/** Puts a part of a record into the clipboard, exactly as it was received, and says so. */
export async function copyRecord(ports: Ports, offset: number, what: Copied): Promise<void> {
  const record = await readRecord(ports, offset);
  if (record === null) return;
  const text = partOf(record, record.raw === null ? null : parseJsonText(record.raw), what);
  if (text === null) {
    ports.notifications.tell({ tone: "warn", text: `Record ${formatCount(offset)} has no ${NAMES[what]}` });
    return;
  }
  await navigator.clipboard.writeText(text);
  ports.notifications.tell({
    tone: "ok",
    text: `Copied the ${NAMES[what]} of record ${formatCount(offset)}`,
  });
}

/** Asks main to open an address in the system's browser; says why it was not. */
export async function openLink({ bridge, notifications }: Ports, url: string): Promise<void> {
  const answer = await call(bridge, "link.open", { url });
  const reason = answer.ok ? answer.value.reason : answer.error.message;
  if (answer.ok && answer.value.opened) return;
  notifications.tell({
    text: "The link was not opened",
    detail: `${reason}: ${showMarks(cutText(url, SHOWN_URL).text)}`,
    tone: "bad",
  });
}

/** Opens the page of a record, or what the edit changed. */
export async function openRecord(ports: Ports, offset: number, where: Led): Promise<void> {
  const record = await readRecord(ports, offset);
  if (record === null) return;
  const url = recordLinks(record.raw === null ? null : parseJsonText(record.raw))[where];
  if (url !== null) return openLink(ports, url);
  ports.notifications.tell({ tone: "warn", text: `Record ${formatCount(offset)} gives no ${NAMES[where]}` });
}
