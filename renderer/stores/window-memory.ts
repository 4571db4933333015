import type { Bridge } from "#main/contract/bridge.ts";
import type { ThemeChoice } from "#main/contract/theme.ts";
import { call } from "#renderer/bridge/call.ts";

/** A change is saved when nothing else changed for this long, and at the latest after {@link SAVE_WITHIN_MS}. */
const SAVE_AFTER_MS = 250;
/** No keystroke older than a second is lost (field case C32); the rest of the second is main's write. */
const SAVE_WITHIN_MS = 600;
/** The contract's limit of the saved text, in characters; what does not fit is not saved, and what was saved stays. */
const MAX_CHARACTERS = 1_000_000;

/**
 * What this window remembers over restarts and crashes: layout, filters, drafts, widths, each under a name of its own
 * (`sql.draft`). Values are JSON and were possibly written by another build, so every reader checks what it gets.
 * Main keeps the text in `workspace/window.json`.
 */
export class WindowMemory {
  readonly #bridge: Bridge;
  readonly #onProblem: (message: string) => void;
  #entries: Record<string, unknown> = {};
  #timer: ReturnType<typeof setTimeout> | null = null;
  #dirtySinceMs: number | null = null;

  constructor(bridge: Bridge, onProblem: (message: string) => void = () => undefined) {
    this.#bridge = bridge;
    this.#onProblem = onProblem;
  }

  /** Reads what was saved, the theme to begin with, and which files could not be read. Never rejects. */
  async load(): Promise<{ readonly theme: ThemeChoice; readonly setAside: readonly string[] }> {
    const answer = await call(this.#bridge, "memory.read", {});
    if (!answer.ok) return { theme: "system", setAside: [] };
    const { text, theme, setAside } = answer.value;
    try {
      const parsed: unknown = text === null ? null : JSON.parse(text);
      if (typeof parsed === "object" && parsed !== null) this.#entries = { ...parsed };
    } catch {
      // Main sets an unreadable file aside; a half-known text is no memory.
    }
    return { theme, setAside };
  }

  /** What was remembered under a name, unchecked; undefined where nothing was. */
  get(name: string): unknown {
    return this.#entries[name];
  }

  /** Remembers a JSON value; saved soon. `undefined` forgets. */
  set(name: string, value: unknown): void {
    if (JSON.stringify(this.#entries[name]) === JSON.stringify(value)) return;
    this.#entries[name] = value;
    const nowMs = performance.now();
    this.#dirtySinceMs ??= nowMs;
    if (this.#timer !== null) clearTimeout(this.#timer);
    const waitMs = Math.max(0, Math.min(SAVE_AFTER_MS, this.#dirtySinceMs + SAVE_WITHIN_MS - nowMs));
    this.#timer = setTimeout(() => void this.flush(), waitMs);
  }

  /** Saves now what is not saved yet. */
  async flush(): Promise<void> {
    if (this.#timer !== null) clearTimeout(this.#timer);
    this.#timer = null;
    if (this.#dirtySinceMs === null) return;
    this.#dirtySinceMs = null;
    const text = JSON.stringify(this.#entries);
    if (text.length > MAX_CHARACTERS)
      return this.#onProblem("The layout and drafts are too large to be saved; close what is not needed.");
    const answer = await call(this.#bridge, "memory.save", { text });
    if (!answer.ok) this.#onProblem(`The layout and drafts could not be saved: ${answer.error.message}`);
  }
}
