import { useEffect, useRef, type ReactElement } from "react";
import { useStore } from "zustand";
import { ErrorCard } from "#renderer/components/error-card.tsx";
import { FeedText } from "#renderer/components/feed-text.tsx";
import { Icon } from "#renderer/components/icon.tsx";
import { ROW_HEIGHT_PX, useRowVirtualizer } from "#renderer/components/use-row-virtualizer.ts";
import { useAppStores } from "#renderer/stores/app-stores.ts";
import type { OutputName } from "#renderer/stores/worker-output.ts";

const NAMES: readonly OutputName[] = ["main", "ingest", "pipeline", "query", "feed"];
/** A reader does not see more; the file is asked only while the view is open. */
const POLL_MS = 1_000;

function levelOf(line: string): "warn" | "bad" | "none" {
  const level = line.split(" ", 2)[1];
  return level === "error" ? "bad" : level === "warn" ? "warn" : "none";
}

function Lines({ lines }: { readonly lines: readonly string[] }): ReactElement {
  const list = useRef<HTMLDivElement>(null);
  const virtualizer = useRowVirtualizer(list, lines.length);
  const isAtEnd = useRef(true);
  useEffect(() => {
    if (isAtEnd.current && lines.length > 0) virtualizer.scrollToIndex(lines.length - 1);
  }, [lines, virtualizer]);
  return (
    <div
      className="output-lines selectable"
      ref={list}
      tabIndex={0}
      role="log"
      aria-label="Lines of the log"
      onScroll={({ currentTarget: { scrollTop, scrollHeight, clientHeight } }) => {
        isAtEnd.current = scrollHeight - scrollTop - clientHeight < ROW_HEIGHT_PX;
      }}
    >
      <div style={{ height: virtualizer.getTotalSize(), position: "relative" }}>
        {virtualizer.getVirtualItems().map(({ index, start }) => {
          const line = lines[index] ?? "";
          return (
            <div
              key={index}
              className={`output-line tone-${levelOf(line)}`}
              style={{ transform: `translateY(${start}px)` }}
            >
              <FeedText text={line} />
            </div>
          );
        })}
      </div>
    </div>
  );
}

/** The log of one worker as it is written. */
export function OutputView(): ReactElement {
  const { output } = useAppStores();
  const { name, lines, error } = useStore(output.store);
  useEffect(() => {
    void output.poll();
    const timer = setInterval(() => void output.poll(), POLL_MS);
    return () => clearInterval(timer);
  }, [output]);
  return (
    <div className="output-view">
      <div className="bottom-tools">
        <label>
          Log of{" "}
          <select
            value={name}
            onChange={({ target }) => output.choose(NAMES.find((known) => known === target.value) ?? "main")}
          >
            {NAMES.map((known) => (
              <option key={known} value={known}>
                {known}
              </option>
            ))}
          </select>
        </label>
        <button
          type="button"
          className="icon-button"
          title="Empty this view; the file stays"
          aria-label="Empty this view"
          onClick={() => output.clear()}
        >
          <Icon name="clear-all" />
        </button>
      </div>
      {error === null ? null : (
        <ErrorCard
          title="The log cannot be read"
          detail={error.message}
          action={{ label: "Try again", run: () => void output.poll() }}
        />
      )}
      {lines.length === 0 && error === null ? (
        <p className="empty">Nothing was written here yet.</p>
      ) : (
        <Lines lines={lines} />
      )}
    </div>
  );
}
