import { useEffect, useId, useRef, useState, type KeyboardEvent, type ReactElement } from "react";
import { FeedText } from "./feed-text.tsx";
import { formatCount } from "./format.ts";
import { Icon } from "./icon.tsx";

/** A value to pick: `count` says how often it was seen, `label` what it means where the value alone does not. */
export type PickOption = { readonly value: string; readonly label?: string; readonly count: number };

type Props = {
  readonly id: string;
  /** What is picked: `Wiki`. */
  readonly name: string;
  readonly title: string;
  readonly chosen: readonly string[];
  /** Asked once per opening, so that the list does not move under the hand. */
  readonly options: () => readonly PickOption[];
  readonly onToggle: (value: string) => void;
  /** Whether a typed value may be picked though it was never seen. */
  readonly acceptsTyped: (text: string) => boolean;
};

/** Options painted at most; typing narrows the rest down. */
const MAX_SHOWN = 200;

function matching(options: readonly PickOption[], typed: string): readonly PickOption[] {
  const text = typed.trim().toLowerCase();
  const found = options.filter(
    ({ value, label }) => value.toLowerCase().includes(text) || label?.toLowerCase().includes(text) === true,
  );
  // What begins with the text is meant more often than what only has it somewhere.
  return found.toSorted(
    (a, b) => Number(b.value.toLowerCase().startsWith(text)) - Number(a.value.toLowerCase().startsWith(text)),
  );
}

function Option(props: {
  readonly id: string;
  readonly option: PickOption;
  readonly isChosen: boolean;
  readonly isCurrent: boolean;
  readonly onPick: () => void;
}): ReactElement {
  const { id, option, isChosen, isCurrent, onPick } = props;
  return (
    <li
      id={id}
      role="option"
      aria-selected={isChosen}
      className={isCurrent ? "current" : ""}
      // The field keeps the keyboard.
      onMouseDown={(event) => event.preventDefault()}
      onClick={onPick}
    >
      <Icon name={isChosen ? "check" : "blank"} />
      <FeedText text={option.value} />
      {option.label === undefined ? null : <span className="label">{option.label}</span>}
      <span className="count">{option.count === 0 ? "" : formatCount(option.count)}</span>
    </li>
  );
}

/** What is listed for what was typed; a value that was never seen can be picked where it could be one. */
function useOffered(
  props: Pick<Props, "options" | "chosen" | "acceptsTyped">,
  typed: string,
): readonly PickOption[] {
  const [seen] = useState(() => {
    const all = props.options();
    const known = new Set(all.map(({ value }) => value));
    return [
      ...props.chosen.filter((value) => !known.has(value)).map((value) => ({ value, count: 0 })),
      ...all,
    ];
  });
  const text = typed.trim();
  const isNew = text !== "" && props.acceptsTyped(text) && !seen.some(({ value }) => value === text);
  return [...matching(seen, typed), ...(isNew ? [{ value: text, label: "not seen yet", count: 0 }] : [])];
}

function Popup({
  id,
  name,
  chosen,
  options,
  onToggle,
  acceptsTyped,
  onClose,
}: Props & { readonly onClose: () => void }): ReactElement {
  const [typed, setTyped] = useState("");
  const [at, setAt] = useState(0);
  const all = useOffered({ options, chosen, acceptsTyped }, typed);
  const shown = all.slice(0, MAX_SHOWN);
  const pick = (option: PickOption | undefined): void => {
    if (option !== undefined) onToggle(option.value);
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (step !== undefined) setAt((at + step + shown.length) % Math.max(1, shown.length));
    else if (event.key === "Enter") pick(shown[at]);
    else if (event.key === "Escape" && typed !== "") setTyped("");
    else if (event.key === "Escape" || event.key === "Tab") onClose();
    else return;
    event.preventDefault();
    event.stopPropagation();
  };
  const list = useRef<HTMLUListElement>(null);
  useEffect(() => {
    list.current?.querySelector(".current")?.scrollIntoView?.({ block: "nearest" });
  }, [at]);
  const optionId = (index: number): string => `${id}-option-${index}`;
  return (
    <div className="pick-popup">
      <input
        autoFocus
        role="combobox"
        aria-expanded="true"
        aria-controls={`${id}-list`}
        aria-activedescendant={shown[at] === undefined ? undefined : optionId(at)}
        aria-label={`Search: ${name}`}
        placeholder="Type to narrow, Enter to pick"
        spellCheck={false}
        value={typed}
        onChange={(event) => {
          setTyped(event.target.value);
          setAt(0);
        }}
        onKeyDown={onKeyDown}
      />
      <ul
        id={`${id}-list`}
        ref={list}
        role="listbox"
        aria-multiselectable="true"
        aria-label={name}
        tabIndex={-1}
      >
        {shown.map((option, index) => (
          <Option
            key={option.value}
            id={optionId(index)}
            option={option}
            isChosen={chosen.includes(option.value)}
            isCurrent={index === at}
            onPick={() => pick(option)}
          />
        ))}
      </ul>
      {all.length > shown.length ? (
        <p className="empty">{formatCount(all.length - shown.length)} more; type to narrow</p>
      ) : null}
      {all.length === 0 ? <p className="empty">None was seen yet.</p> : null}
    </div>
  );
}

/** A button that opens a list to pick several values from; typing narrows it, and Esc closes it. */
export function MultiPick(props: Props): ReactElement {
  const { id, name, title, chosen } = props;
  const [isOpen, setIsOpen] = useState(false);
  const host = useRef<HTMLDivElement>(null);
  const button = useRef<HTMLButtonElement>(null);
  const close = (): void => {
    setIsOpen(false);
    button.current?.focus();
  };
  useEffect(() => {
    if (!isOpen) return;
    const closeOutside = (event: Event): void => {
      if (event.target instanceof Node && host.current?.contains(event.target) !== true) setIsOpen(false);
    };
    document.addEventListener("pointerdown", closeOutside, true);
    return () => document.removeEventListener("pointerdown", closeOutside, true);
  }, [isOpen]);
  const popupId = useId();
  return (
    <div className="pick" ref={host}>
      <button
        id={id}
        ref={button}
        type="button"
        title={title}
        aria-haspopup="listbox"
        aria-expanded={isOpen}
        className={chosen.length > 0 ? "chosen" : ""}
        onClick={() => setIsOpen(!isOpen)}
      >
        {name}
        {chosen.length === 0 ? null : ` · ${chosen.length}`}
        <Icon name="chevron-down" />
      </button>
      {isOpen ? <Popup {...props} id={popupId} onClose={close} /> : null}
    </div>
  );
}
