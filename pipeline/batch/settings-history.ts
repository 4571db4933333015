import { DEFAULT_RESULT_SETTINGS, type ResultSettings } from "#storage/model/settings.ts";

/**
 * Which settings held at which offset. They take effect at the offset of their own record; before the first one the
 * defaults of this build hold. Only changes are kept, and every one was made by a person or a start: a short list.
 */
export class SettingsHistory {
  readonly #changes: { readonly from: number; readonly text: string; readonly settings: ResultSettings }[] =
    [];

  /** Settings at the newest offset. */
  get inForce(): ResultSettings {
    return this.#changes.at(-1)?.settings ?? DEFAULT_RESULT_SETTINGS;
  }

  /** Offset from which they hold; null before the first record of them. */
  get since(): number | null {
    return this.#changes.at(-1)?.from ?? null;
  }

  /** Puts settings in force from `offset` on. Offsets must come in order. */
  put(offset: number, settings: ResultSettings): void {
    const text = JSON.stringify(settings);
    if (this.#changes.at(-1)?.text !== text) this.#changes.push({ from: offset, text, settings });
  }

  /** Settings in force at `offset`. */
  at(offset: number): ResultSettings {
    const change = this.#changes.findLast(({ from }) => from <= offset);
    return change?.settings ?? DEFAULT_RESULT_SETTINGS;
  }
}
