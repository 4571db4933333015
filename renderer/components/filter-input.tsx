import type { ReactElement } from "react";
import { Icon } from "./icon.tsx";

type Props = {
  readonly id: string;
  /** What it searches, for a screen reader. */
  readonly label?: string;
  readonly hint?: string;
  readonly placeholder: string;
  readonly value: string;
  readonly onChange: (value: string) => void;
};

/** Words that rows must have. Escape empties it first; then, like Enter, it gives the keyboard back to the room. */
export function FilterInput({
  id,
  label = "Filter rows",
  hint = "Every word must occur; -word excludes (/)",
  placeholder,
  value,
  onChange,
}: Props): ReactElement {
  return (
    <label className="filter">
      <Icon name="filter" />
      <input
        id={id}
        type="text"
        placeholder={placeholder}
        aria-label={label}
        title={hint}
        spellCheck={false}
        value={value}
        onChange={(event) => onChange(event.target.value)}
        onKeyDown={(event) => {
          if (event.key !== "Escape" && event.key !== "Enter") return;
          event.stopPropagation();
          if (event.key === "Escape" && value !== "") onChange("");
          else event.currentTarget.blur();
        }}
      />
    </label>
  );
}
