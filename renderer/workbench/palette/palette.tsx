import { useEffect, useRef, useState, type KeyboardEvent, type ReactElement } from "react";
import { FeedText } from "#renderer/components/feed-text.tsx";
import { Icon } from "#renderer/components/icon.tsx";
import { useAppStores, useWorkbench } from "#renderer/stores/app-stores.ts";
import { findPages } from "./find-pages.ts";
import { findTables } from "./find-tables.ts";
import { asksForCommands, commandItems, roomItems, type PaletteItem } from "./palette-items.ts";

/** The lake is asked when the typing has paused for this long. */
const ASK_AFTER_MS = 150;

/**
 * The command centre: rooms, tables and pages; behind a `>` every command. Type to narrow, arrows to move, Enter to run, Esc to
 * close.
 */
export function Palette(): ReactElement | null {
  const first = useWorkbench((state) => state.palette);
  // Another first character is another list: it begins anew.
  return first === null ? null : <OpenPalette key={first} first={first} />;
}

/** Tables and pages of the lake for what was typed; those of the typing before stay until the new ones are there. */
function useFoundInLake(typed: string): readonly PaletteItem[] {
  const { bridge } = useAppStores();
  const [found, setFound] = useState<readonly PaletteItem[]>([]);
  useEffect(() => {
    if (asksForCommands(typed)) return undefined;
    let isWanted = true;
    const timer = setTimeout(() => {
      void Promise.all([findTables(bridge, typed.trim()), findPages(bridge, typed)]).then((parts) => {
        if (isWanted) setFound(parts.flat());
      });
    }, ASK_AFTER_MS);
    return () => {
      isWanted = false;
      clearTimeout(timer);
    };
  }, [bridge, typed]);
  return found;
}

function Line({ item, isChosen, ...on }: LineProps): ReactElement {
  const line = useRef<HTMLLIElement>(null);
  useEffect(() => {
    if (isChosen) line.current?.scrollIntoView?.({ block: "nearest" });
  }, [isChosen]);
  return (
    <li
      ref={line}
      id={`palette-${item.id}`}
      role="option"
      aria-selected={isChosen}
      onClick={on.onRun}
      onMouseMove={on.onPoint}
    >
      <Icon name={item.icon} />
      <span className="title">
        <FeedText text={item.title} />
      </span>
      <kbd>
        <FeedText text={item.hint} />
      </kbd>
    </li>
  );
}

type LineProps = {
  readonly item: PaletteItem;
  readonly isChosen: boolean;
  readonly onRun: () => void;
  readonly onPoint: () => void;
};

function OpenPalette({ first }: { readonly first: string }): ReactElement {
  const stores = useAppStores();
  const [typed, setTyped] = useState(first);
  const [at, setAt] = useState(0);
  const inLake = useFoundInLake(typed);
  const items = asksForCommands(typed) ? commandItems(typed) : [...roomItems(typed.trim()), ...inLake];
  const before = useRef(document.activeElement);
  const close = (): void => stores.workbench.setState({ palette: null });
  const run = (item: PaletteItem | undefined): void => {
    if (item === undefined) return;
    close();
    // After the palette's input is gone, so that a command may move the focus.
    setTimeout(() => item.run(stores), 0);
  };
  const leave = (): void => {
    close();
    if (before.current instanceof HTMLElement) before.current.focus();
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    const step = { ArrowDown: 1, ArrowUp: -1, PageDown: 10, PageUp: -10 }[event.key];
    if (step !== undefined) {
      const isPage = Math.abs(step) > 1;
      const wanted = at + step;
      setAt(
        isPage
          ? Math.max(0, Math.min(items.length - 1, wanted))
          : (wanted + items.length) % Math.max(1, items.length),
      );
    } else if (event.key === "Enter") run(items[at]);
    else if (event.key === "Escape") leave();
    else return;
    event.preventDefault();
    event.stopPropagation();
  };
  const chosen = items[at];
  const label = asksForCommands(typed) ? "Search commands" : "Search rooms, tables and pages";
  return (
    <div className="palette-backdrop" role="presentation" onMouseDown={leave}>
      <div
        className="palette"
        role="dialog"
        aria-label="Command centre"
        onMouseDown={(event) => event.stopPropagation()}
      >
        <input
          autoFocus
          role="combobox"
          aria-expanded="true"
          aria-controls="palette-list"
          aria-activedescendant={chosen === undefined ? undefined : `palette-${chosen.id}`}
          aria-label={label}
          placeholder={`${label}${asksForCommands(typed) ? "" : "; > for commands"}`}
          value={typed}
          onChange={(event) => {
            setTyped(event.target.value);
            setAt(0);
          }}
          onKeyDown={onKeyDown}
        />
        <ul id="palette-list" role="listbox" aria-label="Found">
          {items.map((item, index) => (
            <Line
              key={item.id}
              item={item}
              isChosen={index === at}
              onRun={() => run(item)}
              onPoint={() => setAt(index)}
            />
          ))}
        </ul>
        {items.length === 0 ? <p className="empty">Nothing has these words.</p> : null}
      </div>
    </div>
  );
}
