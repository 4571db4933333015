import type { KeyboardEvent, PointerEvent, ReactElement } from "react";

type Props = {
  /** What it resizes, for a screen reader. */
  readonly label: string;
  /** `vertical`: a bar between left and right. */
  readonly orientation: "vertical" | "horizontal";
  readonly size: number;
  readonly min: number;
  readonly max: number;
  /** 1 where the sized part lies before the sash (left, top), -1 where it lies behind it. */
  readonly sign: 1 | -1;
  readonly onResize: (size: number) => void;
  /** Double click; VS Code goes back to the first size. */
  readonly onReset: () => void;
};

const KEY_STEP = 16;

/** The bar between two parts of the window: drag it, or focus it and use the arrow keys. Sizes in px. */
export function Sash({ label, orientation, size, min, max, sign, onResize, onReset }: Props): ReactElement {
  const isVertical = orientation === "vertical";
  const resize = (wanted: number): void => onResize(Math.round(Math.min(max, Math.max(min, wanted))));
  const onPointerDown = (event: PointerEvent<HTMLDivElement>): void => {
    const sash = event.currentTarget;
    const from = isVertical ? event.clientX : event.clientY;
    sash.setPointerCapture(event.pointerId);
    const onMove = (move: globalThis.PointerEvent): void =>
      resize(size + sign * ((isVertical ? move.clientX : move.clientY) - from));
    const onEnd = (): void => {
      sash.removeEventListener("pointermove", onMove);
      sash.removeEventListener("lostpointercapture", onEnd);
    };
    sash.addEventListener("pointermove", onMove);
    sash.addEventListener("lostpointercapture", onEnd);
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    const [less, more] = isVertical ? ["ArrowLeft", "ArrowRight"] : ["ArrowUp", "ArrowDown"];
    const step = event.key === more ? KEY_STEP : event.key === less ? -KEY_STEP : 0;
    if (step === 0) return;
    event.preventDefault();
    event.stopPropagation();
    resize(size + sign * step);
  };
  return (
    <div
      className={`sash ${orientation}`}
      role="separator"
      tabIndex={0}
      aria-label={label}
      aria-orientation={orientation}
      aria-valuenow={size}
      aria-valuemin={min}
      aria-valuemax={max}
      onPointerDown={onPointerDown}
      onDoubleClick={onReset}
      onKeyDown={onKeyDown}
    />
  );
}
