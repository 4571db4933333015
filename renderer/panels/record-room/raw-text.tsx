import { useEffect, useRef, type ReactElement } from "react";
import { FeedText } from "#renderer/components/feed-text.tsx";
import { formatBytes, formatCount } from "#renderer/components/format.ts";
import { Icon } from "#renderer/components/icon.tsx";
import type { JsonError } from "./find-json-error.ts";

/** Raw text painted at most: a record may have 10 MB, the page should not. */
const RAW_LIMIT = 50_000;
/** Characters around a break in its excerpt. */
const EXCERPT = 160;

/** `text` with the character at which it stops being JSON marked; a break at the end marks the end. */
function MarkedText({ text, at }: { readonly text: string; readonly at: number }): ReactElement {
  const mark = useRef<HTMLElement>(null);
  useEffect(() => mark.current?.scrollIntoView?.({ block: "nearest" }), [at]);
  const code = text.codePointAt(at);
  const character = code === undefined ? undefined : String.fromCodePoint(code);
  return (
    <>
      <FeedText text={text.slice(0, at)} limit={RAW_LIMIT} />
      <mark ref={mark} className="break" title="here it stops being JSON">
        {character === undefined ? "end of the record" : <FeedText text={character} />}
      </mark>
      <FeedText text={text.slice(at + (character?.length ?? 0))} limit={RAW_LIMIT} />
    </>
  );
}

/** The whole text of a record, up to what a page can hold. */
export function RawText({
  raw,
  error,
}: {
  readonly raw: string;
  readonly error: JsonError | null;
}): ReactElement {
  const shown = raw.slice(0, RAW_LIMIT).toWellFormed();
  const isCut = raw.length > RAW_LIMIT;
  return (
    <section className="raw">
      <div className="buttons">
        <button
          type="button"
          title="Copy the whole text"
          onClick={() => void navigator.clipboard.writeText(raw)}
        >
          <Icon name="copy" /> Copy all
        </button>
        <span className="held">
          {formatBytes(new TextEncoder().encode(raw).length)}
          {isCut ? `, the first ${formatCount(RAW_LIMIT)} characters are shown` : ""}
        </span>
      </div>
      <pre tabIndex={0} aria-label="Raw text">
        {error === null || error.at >= shown.length + (isCut ? 0 : 1) ? (
          <FeedText text={raw} limit={RAW_LIMIT} />
        ) : (
          <MarkedText text={shown} at={error.at} />
        )}
      </pre>
    </section>
  );
}

/** Place of a break for a person: line and column, from 1. */
function placeOf(raw: string, at: number): string {
  const before = raw.slice(0, at);
  const line = before.split("\n").length;
  return `line ${formatCount(line)}, column ${formatCount(at - before.lastIndexOf("\n"))}`;
}

/** Where and why a text stops being JSON, with its surroundings. */
export function JsonBreak({ raw, error }: { readonly raw: string; readonly error: JsonError }): ReactElement {
  const from = Math.max(0, error.at - EXCERPT);
  const excerpt = raw.slice(from, error.at + EXCERPT).toWellFormed();
  return (
    <div className="json-break">
      <p>
        The text stops being JSON at {placeOf(raw, error.at)} (character {formatCount(error.at + 1)} of{" "}
        {formatCount(raw.length)}): {error.expected} could stand here.
      </p>
      <pre>
        {from > 0 ? "…" : ""}
        <MarkedText text={excerpt} at={error.at - from} />
        {error.at + EXCERPT < raw.length ? "…" : ""}
      </pre>
    </div>
  );
}
