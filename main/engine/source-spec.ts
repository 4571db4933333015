import { createHash } from "node:crypto";
import { basename, resolve } from "node:path";
import { AppError } from "#storage/model/errors.ts";
import { toSourceName } from "#storage/model/brand.ts";
import type { SourceSpec } from "#pipeline/protocol/worker-messages.ts";
import type { SourceMode } from "../contract/app-status.ts";

/** The feed this product was first made for. */
export const WIKIMEDIA_RECENTCHANGE_URL = "https://stream.wikimedia.org/v2/stream/recentchange";
/** Name of EventStreams' topic for it; each data centre puts its own name before it. */
export const RECENTCHANGE_STREAM = "mediawiki.recentchange";

/** A source as the user named it: the mode, and what ingest connects to (null for demo: the feed's url is known later). */
export type ChosenSource = {
  readonly mode: SourceMode;
  readonly spec: SourceSpec | null;
  readonly source: string;
};

/** Reads `--source live|demo|file:PATH|URL`. Throws `usage` with the allowed forms. */
export function parseSource(text: string): ChosenSource {
  if (text === "live") return sse("live", WIKIMEDIA_RECENTCHANGE_URL, "recentchange");
  if (text === "demo") return { mode: "demo", spec: null, source: "demo" };
  if (text.startsWith("file:") && text.length > 5) return fileSource(text.slice(5));
  if (/^https?:\/\//.test(text) && URL.canParse(text)) {
    const { username, password } = new URL(text);
    // fetch refuses such an address, and every screen and log would show it.
    if (username !== "" || password !== "")
      throw new AppError("usage", "--source takes an address without a name and a password in it");
    return text === WIKIMEDIA_RECENTCHANGE_URL ? parseSource("live") : sse("live", text, urlName(text));
  }
  throw new AppError("usage", `--source is live, demo, file:PATH or an http(s) address; not: ${text}`);
}

/** What ingest connects to when the demo feed answers at `url`. */
export function demoSpec(url: string): SourceSpec {
  return { kind: "sse", source: "demo", url, stream: RECENTCHANGE_STREAM };
}

function sse(mode: SourceMode, url: string, source: string): ChosenSource {
  return { mode, source, spec: { kind: "sse", source, url, stream: RECENTCHANGE_STREAM } };
}

/** The same file is the same source wherever the program was started, so its path is made absolute first. */
function fileSource(path: string): ChosenSource {
  const absolute = resolve(path);
  const slug = slugOf(basename(absolute));
  const source = toSourceName(`file-${slug}-${shortHash(absolute)}`);
  return { mode: "file", source, spec: { kind: "file", source, path: absolute } };
}

function urlName(url: string): string {
  return toSourceName(`url-${slugOf(new URL(url).host)}-${shortHash(url)}`);
}

function slugOf(text: string): string {
  const slug = text
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, "-")
    .replace(/^-+|-+$/g, "")
    .slice(0, 30);
  return slug === "" ? "x" : slug;
}

function shortHash(text: string): string {
  return createHash("sha256").update(text).digest("hex").slice(0, 6);
}
