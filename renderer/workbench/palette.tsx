import { useState, type KeyboardEvent, type ReactElement } from "react";
import { useAppStores, useWorkbench } from "#renderer/stores/app-stores.ts";
import { openPanel } from "#renderer/stores/workbench-store.ts";
import type { WorkbenchCommand } from "./command.ts";
import { COMMANDS } from "./commands.ts";
import { showKeys } from "./keyboard.ts";

function matchCommands(query: string): readonly WorkbenchCommand[] {
  const words = query.toLowerCase().replace(/^>/u, "").split(/\s+/u);
  const others = COMMANDS.filter((command) => command.id !== "workbench.palette");
  return others.filter((command) => words.every((word) => command.title.toLowerCase().includes(word)));
}

/** The list of every command of the window; type to narrow, arrows to move, Enter to run, Esc to close. */
export function Palette(): ReactElement | null {
  return useWorkbench((state) => state.palette !== null) ? <OpenPalette /> : null;
}

function OpenPalette(): ReactElement {
  const stores = useAppStores();
  const [query, setQuery] = useState("");
  const [at, setAt] = useState(0);
  const matches = matchCommands(query);
  const close = (): void => stores.workbench.setState({ palette: null });
  const run = (command: WorkbenchCommand | undefined): void => {
    if (command === undefined) return;
    close();
    if (command.panel !== undefined) openPanel(stores.workbench, command.panel);
    // After the palette's input is gone, so that a command may move the focus.
    setTimeout(() => command.run(stores), 0);
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (step !== undefined) setAt((at + step + matches.length) % Math.max(1, matches.length));
    else if (event.key === "Enter") run(matches[at]);
    else if (event.key === "Escape") close();
    else return;
    event.preventDefault();
    event.stopPropagation();
  };
  return (
    <div className="palette-backdrop" role="presentation" onMouseDown={close}>
      <div
        className="palette"
        role="dialog"
        aria-label="Commands"
        onMouseDown={(event) => event.stopPropagation()}
      >
        <input
          autoFocus
          role="combobox"
          aria-expanded="true"
          aria-controls="palette-list"
          aria-activedescendant={matches[at] === undefined ? undefined : `palette-${matches[at].id}`}
          aria-label="Search commands"
          placeholder="Search commands"
          value={query}
          onChange={(event) => {
            setQuery(event.target.value);
            setAt(0);
          }}
          onKeyDown={onKeyDown}
        />
        <ul id="palette-list" role="listbox" aria-label="Commands">
          {matches.map((command, index) => (
            <li
              key={command.id}
              id={`palette-${command.id}`}
              role="option"
              aria-selected={index === at}
              onClick={() => run(command)}
              onMouseMove={() => setAt(index)}
            >
              <span>{command.title}</span>
              <kbd>{showKeys(command)}</kbd>
            </li>
          ))}
        </ul>
        {matches.length === 0 ? <p className="empty">No command has these words.</p> : null}
      </div>
    </div>
  );
}
