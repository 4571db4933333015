import { useEffect, useLayoutEffect, useRef, useState, type KeyboardEvent, type ReactElement } from "react";

/** One line of a context menu. `key` is shown beside it and is not heard by the menu. */
export type MenuItem = { readonly label: string; readonly keys?: string; readonly run: () => void };

type Props = {
  readonly items: readonly MenuItem[];
  /** Where the pointer or the row is, px from the window's corner. */
  readonly at: { readonly x: number; readonly y: number };
  readonly onClose: () => void;
};

/** A menu at a place: arrows move, Enter runs, Esc and a click elsewhere close it; the focus goes back where it was. */
export function ContextMenu({ items, at, onClose }: Props): ReactElement {
  const menu = useRef<HTMLDivElement>(null);
  const [place, setPlace] = useState(at);
  useLayoutEffect(() => {
    const element = menu.current;
    if (element === null) return;
    const { width, height } = element.getBoundingClientRect();
    setPlace({
      x: Math.max(0, Math.min(at.x, window.innerWidth - width - 4)),
      y: Math.max(0, Math.min(at.y, window.innerHeight - height - 4)),
    });
  }, [at]);
  useEffect(() => {
    const before = document.activeElement;
    menu.current?.querySelector("button")?.focus();
    const closeOutside = (event: Event): void => {
      if (event.target instanceof Node && menu.current?.contains(event.target) !== true) onClose();
    };
    document.addEventListener("pointerdown", closeOutside, true);
    window.addEventListener("blur", onClose);
    return () => {
      document.removeEventListener("pointerdown", closeOutside, true);
      window.removeEventListener("blur", onClose);
      if (before instanceof HTMLElement) before.focus({ preventScroll: true });
    };
    // The menu is made anew for each opening.
    // oxlint-disable-next-line react/exhaustive-deps
  }, []);
  const onKeyDown = (event: KeyboardEvent<HTMLDivElement>): void => {
    const buttons = [...(menu.current?.querySelectorAll("button") ?? [])];
    const index = buttons.findIndex((button) => button === document.activeElement);
    const to = { ArrowDown: index + 1, ArrowUp: index - 1, Home: 0, End: -1 }[event.key];
    // The window's own keys must not work behind an open menu.
    event.stopPropagation();
    if (to !== undefined) buttons.at(to % buttons.length)?.focus();
    else if (event.key === "Escape" || event.key === "Tab") onClose();
    else return;
    event.preventDefault();
  };
  return (
    <div
      ref={menu}
      className="context-menu"
      role="menu"
      aria-label="Row"
      style={{ left: `${place.x}px`, top: `${place.y}px` }}
      onKeyDown={onKeyDown}
      onContextMenu={(event) => event.preventDefault()}
    >
      {items.map(({ label, keys, run }) => (
        <button
          key={label}
          type="button"
          role="menuitem"
          tabIndex={-1}
          title={keys === undefined ? label : `${label} (${keys})`}
          onClick={() => {
            onClose();
            run();
          }}
        >
          <span>{label}</span>
          <kbd>{keys}</kbd>
        </button>
      ))}
    </div>
  );
}
