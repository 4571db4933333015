import { useMemo, type ReactElement } from "react";
import { useStore } from "zustand";
import { formatCount } from "#renderer/components/format.ts";
import { Icon } from "#renderer/components/icon.tsx";
import type { DraftMessage } from "./draft.ts";
import { findInvisible } from "./invisible-characters.ts";
import { activeDraft, type SqlRoom } from "./sql-room.ts";

/** Invisible characters that are counted; a text full of them needs no exact number. */
const MAX_COUNTED = 1_000;

type ErrorMessage = Extract<DraftMessage, { readonly kind: "error" }>;

function Remedy({ room, error }: { room: SqlRoom; error: ErrorMessage["error"] }): ReactElement | null {
  if (error.code === "snapshot-unknown") {
    return (
      <button type="button" title="Reads the newest snapshot from now on" onClick={() => room.runAtNewest()}>
        Run at the newest snapshot
      </button>
    );
  }
  if (error.kind !== "transient") return null;
  return (
    <button type="button" onClick={() => void room.run()}>
      Run again
    </button>
  );
}

function ErrorLine({ room, message }: { room: SqlRoom; message: ErrorMessage }): ReactElement {
  const { error, place } = message;
  const where = place === null ? "" : `Line ${formatCount(place.line)}, column ${formatCount(place.column)}`;
  const whole = where === "" ? error.message : `${where}: ${error.message}`;
  return (
    <div className="message" role="alert">
      <span className="tone-bad">
        <Icon name="error" />
      </span>
      <pre className="selectable" tabIndex={0} aria-label="Error">
        {error.message}
      </pre>
      {place === null ? null : (
        <button type="button" title="Puts the cursor there" onClick={() => room.goToError()}>
          {where}
        </button>
      )}
      <Remedy room={room} error={error} />
      <button
        type="button"
        title="Copies the message and its place"
        onClick={() => void navigator.clipboard.writeText(whole)}
      >
        <Icon name="copy" /> Copy
      </button>
    </div>
  );
}

function placeOf(text: string, at: number): string {
  const lines = text.slice(0, at).split("\n");
  return `line ${lines.length}, column ${(lines.at(-1) ?? "").length + 1}`;
}

function InvisibleLine({
  room,
  text,
}: {
  readonly room: SqlRoom;
  readonly text: string;
}): ReactElement | null {
  const found = useMemo(() => findInvisible(text, MAX_COUNTED), [text]);
  const [first] = found;
  if (first === undefined) return null;
  const more = found.length === 1 ? "" : `, and ${formatCount(found.length - 1)} more`;
  const what = first.name === "" ? first.codePoint : `${first.codePoint} ${first.name}`;
  return (
    <div className="message">
      <span className="tone-warn">
        <Icon name="warning" />
      </span>
      <span className="said">
        Nobody sees it, the database does: {what} at {placeOf(text, first.at)}
        {more}. Inside of a text it is compared like any letter.
      </span>
      <button
        type="button"
        onClick={() => {
          room.select(first.at, first.at + 1);
          room.editors.focus();
        }}
      >
        Show it
      </button>
    </div>
  );
}

/** What there is to say of the draft: why its statement failed and where, and what its text hides. */
export function SqlMessages({ room }: { readonly room: SqlRoom }): ReactElement {
  const message = useStore(room.store, (state) => activeDraft(state).message);
  const text = useStore(room.store, (state) => activeDraft(state).text);
  return (
    <>
      {message?.kind === "error" ? <ErrorLine room={room} message={message} /> : null}
      {message?.kind === "note" ? (
        <div className="message" role="status">
          <Icon name="info" />
          <span className="said">{message.text}</span>
        </div>
      ) : null}
      <InvisibleLine room={room} text={text} />
    </>
  );
}
