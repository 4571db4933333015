import {
  useEffect,
  useId,
  useRef,
  useState,
  type KeyboardEvent,
  type ReactElement,
  type ReactNode,
} from "react";
import { Icon } from "./icon.tsx";
import "./menu-button.css";

/** A line of a menu: something to do, or something to switch. */
export type MenuItem = {
  readonly label: string;
  /** In the tooltip. */
  readonly detail?: string;
  /** As a person reads it: `Ctrl+C`. */
  readonly keys?: string;
  /** Set for a switch; choosing it leaves the menu open. */
  readonly isOn?: boolean;
  /** A line stands above it. */
  readonly isFirstOfPart?: boolean;
  readonly run: () => void;
};

type Props = {
  readonly title: string;
  readonly items: readonly MenuItem[];
  /** The edge of the button that the menu keeps to; the right one unless said. */
  readonly align?: "left" | "right";
  readonly children: ReactNode;
};

function Line({ item, onDone }: { readonly item: MenuItem; readonly onDone: () => void }): ReactElement {
  const isSwitch = item.isOn !== undefined;
  return (
    <button
      type="button"
      role={isSwitch ? "menuitemcheckbox" : "menuitem"}
      aria-checked={item.isOn}
      tabIndex={-1}
      className={item.isFirstOfPart === true ? "first-of-part" : undefined}
      onClick={() => {
        item.run();
        if (!isSwitch) onDone();
      }}
    >
      <span className="menu-mark">{item.isOn === true ? <Icon name="check" /> : null}</span>
      <span className="menu-label" title={item.detail}>
        {item.label}
      </span>
      {item.keys === undefined ? null : <kbd>{item.keys}</kbd>}
    </button>
  );
}

function step(menu: HTMLElement, key: string): void {
  const lines = [...menu.querySelectorAll<HTMLElement>("[role^=menuitem]")];
  const at = lines.findIndex((line) => line === document.activeElement);
  const last = lines.length - 1;
  const next = { ArrowDown: at === last ? 0 : at + 1, ArrowUp: at <= 0 ? last : at - 1, Home: 0, End: last }[
    key
  ];
  if (next !== undefined) lines[next]?.focus();
}

/** A button that opens a menu below it. Arrow keys move in it, Escape and a click elsewhere close it. */
export function MenuButton({ title, items, align = "right", children }: Props): ReactElement {
  const [isOpen, setIsOpen] = useState(false);
  const id = useId();
  const root = useRef<HTMLDivElement>(null);
  const close = (): void => {
    setIsOpen(false);
    root.current?.querySelector<HTMLElement>("[aria-haspopup]")?.focus();
  };
  useEffect(() => {
    if (!isOpen) return;
    root.current?.querySelector<HTMLElement>("[role^=menuitem]")?.focus();
    const onPointerDown = ({ target }: PointerEvent): void => {
      if (!(target instanceof Node) || root.current?.contains(target) !== true) setIsOpen(false);
    };
    document.addEventListener("pointerdown", onPointerDown);
    return () => document.removeEventListener("pointerdown", onPointerDown);
  }, [isOpen]);
  const onKeyDown = (event: KeyboardEvent<HTMLDivElement>): void => {
    if (!isOpen) return;
    event.stopPropagation();
    if (event.key === "Escape" || event.key === "Tab") {
      if (event.key === "Escape") event.preventDefault();
      return close();
    }
    if (!["ArrowDown", "ArrowUp", "Home", "End"].includes(event.key)) return;
    event.preventDefault();
    step(event.currentTarget, event.key);
  };
  return (
    <div className="menu-button" ref={root} onKeyDown={onKeyDown}>
      <button
        type="button"
        title={title}
        disabled={items.length === 0}
        aria-haspopup="menu"
        aria-expanded={isOpen}
        aria-controls={id}
        onClick={() => setIsOpen(!isOpen)}
      >
        {children} <Icon name="chevron-down" />
      </button>
      {isOpen ? (
        <div className={`menu ${align}`} role="menu" id={id} aria-label={title}>
          {items.map((item, at) => (
            // Two lines may say the same (a statement of the history cut to one line); their place tells them apart.
            <Line key={at} item={item} onDone={close} />
          ))}
        </div>
      ) : null}
    </div>
  );
}
