import { readFileSync } from "node:fs";
import { writeFileAtomic } from "#storage/files/write-file-atomic.ts";
import { AppError } from "#storage/model/errors.ts";
import { readWish, type SettingsWish, wishOf } from "./wish.ts";

/** The file is looked at this often; an edit by hand is in force about a second later. */
const LOOK_EVERY_MS = 1_000;

/**
 * The user's settings file, followed while the app runs: a change by the form or by hand is told once. A bad file changes
 * nothing and has its problem told. Must be closed.
 */
export class SettingsFile {
  readonly path: string;
  readonly #onChange: (wish: SettingsWish) => void;
  readonly #timer: NodeJS.Timeout;
  #wish: SettingsWish;
  #text: string | null;
  #changes = 0;

  constructor(path: string, onChange: (wish: SettingsWish) => void) {
    this.path = path;
    this.#onChange = onChange;
    this.#text = readText(path);
    this.#wish = readWish(path);
    // By looking, not by events: those miss a file that is replaced, on some file systems all of it.
    this.#timer = setInterval(() => this.look(), LOOK_EVERY_MS);
    this.#timer.unref();
  }

  get wish(): SettingsWish {
    return this.#wish;
  }

  /** Text as it lies there; null where there is none or it cannot be read. */
  get text(): string | null {
    return this.#text;
  }

  /** Grows with every change of the file, so that a form can see that somebody else wrote it. */
  get changes(): number {
    return this.#changes;
  }

  /** Reads the file again; tells its wish where the text is another one. */
  look(): void {
    const text = readText(this.path);
    if (text === this.#text) return;
    this.#text = text;
    this.#changes += 1;
    this.#wish = readWish(this.path);
    this.#onChange(this.#wish);
  }

  /** Writes new settings, old or new as a whole. Throws `usage` with every mistake and its place; then nothing is written. */
  async save(text: string): Promise<void> {
    const { problem } = wishOf(text, this.path);
    if (problem !== null) throw new AppError("usage", problem);
    await writeFileAtomic(this.path, text);
    this.look();
  }

  close(): void {
    clearInterval(this.#timer);
  }
}

function readText(path: string): string | null {
  try {
    return readFileSync(path, "utf8");
  } catch {
    // Missing or unreadable; readWish says which.
    return null;
  }
}
