import { memo, type ReactElement, type ReactNode } from "react";

type Props = {
  readonly offset: number;
  readonly id: string;
  readonly top: number;
  readonly isSelected: boolean;
  /** The same element as long as the row is the same, so that it is not looked at again. */
  readonly content: ReactNode;
  readonly onSelect: (offset: number) => void;
  readonly onOpen: (offset: number) => void;
};

/** One row; 24 px high whatever its text is. */
export const GridRow = memo(function GridRow({
  offset,
  id,
  top,
  isSelected,
  content,
  onSelect,
  onOpen,
}: Props): ReactElement {
  return (
    <div
      role="row"
      id={id}
      className="row"
      aria-selected={isSelected}
      data-offset={offset}
      style={{ transform: `translateY(${top}px)` }}
      onMouseDown={() => onSelect(offset)}
      onDoubleClick={() => onOpen(offset)}
    >
      {content}
    </div>
  );
});
