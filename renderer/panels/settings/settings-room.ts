import { createStore, type StoreApi } from "zustand/vanilla";
import type { AppStatus } from "#main/contract/app-status.ts";
import type { Bridge } from "#main/contract/bridge.ts";
import type { SettingField } from "#main/contract/setting-fields.ts";
import type { SettingsView } from "#main/contract/settings-view.ts";
import { call } from "#renderer/bridge/call.ts";
import type { Notifications } from "#renderer/stores/notifications.ts";
import { changedOnly, isSame, readValue, valueAt, withValue, writeValue } from "./setting-values.ts";

/** What the room shows. */
export type SettingsState = {
  readonly view: SettingsView | null;
  readonly mode: "form" | "json";
  readonly search: string;
  /** Fields whose typed text is not a value (yet): the text, and what is wrong. */
  readonly typed: Readonly<Record<string, { readonly text: string; readonly message: string }>>;
  /** Text of the JSON editor; null = as the file has it. */
  readonly json: string | null;
  /** The file was changed by somebody else while the text was being edited. */
  readonly isOutdated: boolean;
  readonly error: string | null;
};

/** The user's wish as a form and as JSON. A valid change of the form is saved at once; the JSON is saved by command. */
export class SettingsRoom {
  readonly store: StoreApi<SettingsState> = createStore<SettingsState>(() => ({
    view: null,
    mode: "form",
    search: "",
    typed: {},
    json: null,
    isOutdated: false,
    error: null,
  }));
  readonly #bridge: Bridge;
  readonly #notifications: Notifications;
  #seen = "";

  constructor(bridge: Bridge, notifications: Notifications) {
    this.#bridge = bridge;
    this.#notifications = notifications;
  }

  /** Reads the wish anew. */
  async load(): Promise<void> {
    const answer = await call(this.#bridge, "settings.read", {});
    if (!answer.ok) return this.store.setState({ error: answer.error.message });
    this.store.setState({ view: answer.value, error: null });
  }

  /** Another folder, or a file that somebody else wrote: a text under edit is never thrown away. */
  takeStatus({ settingsFile: { path, changes } }: AppStatus): void {
    const key = `${path}\n${changes}`;
    if (key === this.#seen) return;
    this.#seen = key;
    const { view, json } = this.store.getState();
    if (view === null || (view.path === path && view.changes === changes)) return;
    if (json !== null && view.path === path) this.store.setState({ isOutdated: true });
    void this.load();
  }

  setMode(mode: SettingsState["mode"]): void {
    this.store.setState({ mode });
  }

  setSearch(search: string): void {
    this.store.setState({ search });
  }

  /** Takes what was typed into a field: a value is saved, anything else stays in the field with what is wrong. */
  async type(field: SettingField, text: string): Promise<void> {
    const parsed = readValue(field, text);
    const { [field.path]: _, ...others } = this.store.getState().typed;
    if (!parsed.ok)
      return this.store.setState({ typed: { ...others, [field.path]: { text, message: parsed.message } } });
    this.store.setState({ typed: others });
    await this.set(field, parsed.value);
  }

  /** Saves one value; does nothing where it is the one that stands there. */
  async set(field: SettingField, value: unknown): Promise<void> {
    const { view } = this.store.getState();
    if (view === null) return;
    const before = valueAt(view.settings, field.path);
    if (isSame(before, value)) return;
    const wanted = changedOnly(withValue(view.settings, field.path, value), view.fields);
    if (await this.#save(`${JSON.stringify(wanted, null, 2)}\n`)) this.#tellChange(field, before, value);
  }

  /** Takes what stands in the JSON editor. */
  editJson(json: string): void {
    this.store.setState({ json });
  }

  /** Saves the JSON text. */
  async saveJson(): Promise<void> {
    const { json } = this.store.getState();
    if (json === null || !(await this.#save(json))) return;
    this.store.setState({ json: null, isOutdated: false });
    this.#notifications.tell({ tone: "ok", text: "The settings were saved." });
  }

  /** Forgets the text under edit and shows the file's. */
  takeFile(): void {
    this.store.setState({ json: null, isOutdated: false, error: null });
  }

  /** Keeps the text under edit; saving it replaces the file. */
  keepMine(): void {
    this.store.setState({ isOutdated: false });
  }

  async #save(text: string): Promise<boolean> {
    const answer = await call(this.#bridge, "settings.save", { text });
    if (!answer.ok) {
      this.store.setState({ error: answer.error.message });
      return false;
    }
    this.store.setState({ view: answer.value, error: null });
    return true;
  }

  #tellChange(field: SettingField, before: unknown, value: unknown): void {
    if (field.effect !== "offset") return;
    this.#notifications.tell({
      tone: "info",
      text: `${field.title}: ${show(field, before)} → ${show(field, value)}`,
      detail:
        "It decides results, so it takes effect at one offset of the log; earlier records keep the old value.",
      actions: [{ label: "Undo", run: () => void this.set(field, before) }],
    });
  }
}

function show(field: SettingField, value: unknown): string {
  const text = writeValue(field, value);
  return text === "" ? "none" : text;
}

/** Settings whose words or place have every word that was searched for. */
export function foundFields(fields: readonly SettingField[], search: string): readonly SettingField[] {
  const words = search.toLowerCase().split(/\s+/u);
  return fields.filter(({ title, description, path, group }) => {
    const text = `${group} ${title} ${description} ${path}`.toLowerCase();
    return words.every((word) => text.includes(word));
  });
}
