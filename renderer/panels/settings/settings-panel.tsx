import { useEffect, type ReactElement } from "react";
import { useStore } from "zustand";
import { THEME_CHOICES } from "#main/contract/theme.ts";
import type { SettingsView } from "#main/contract/settings-view.ts";
import { FilterInput } from "#renderer/components/filter-input.tsx";
import { useAppStores } from "#renderer/stores/app-stores.ts";
import { THEME_TITLES } from "#renderer/themes/tokens.ts";
import { CommandButton } from "#renderer/workbench/command-button.tsx";
import { runCommand } from "#renderer/workbench/commands.ts";
import { JsonView } from "./json-view.tsx";
import { SettingRow } from "./setting-field.tsx";
import { valueAt } from "./setting-values.ts";
import { foundFields } from "./settings-room.ts";
import { SEARCH_INPUT_ID } from "./settings-commands.ts";

const GROUPS = ["Results", "Source", "Log", "Lake"] as const;

function ThemeRow(): ReactElement {
  const stores = useAppStores();
  return (
    <section aria-label="Appearance">
      <h2>Appearance</h2>
      <div className="setting">
        <header>
          <span>Colour theme</span>
        </header>
        <p>Kept with this data folder; Ctrl+K Ctrl+T goes through them.</p>
        <div className="buttons">
          {THEME_CHOICES.map((theme) => (
            <button key={theme} type="button" onClick={() => runCommand(stores, `theme.${theme}`)}>
              {THEME_TITLES[theme]}
            </button>
          ))}
        </div>
      </div>
    </section>
  );
}

function Form({ view }: { readonly view: SettingsView }): ReactElement {
  const { settingsRoom } = useAppStores();
  const search = useStore(settingsRoom.store, (state) => state.search);
  const found = foundFields(view.fields, search.trim());
  return (
    <div className="settings-form" tabIndex={0} role="region" aria-label="All settings">
      {search.trim() === "" ? <ThemeRow /> : null}
      {GROUPS.map((group) => {
        const own = found.filter((field) => field.group === group);
        if (own.length === 0) return null;
        return (
          <section key={group} aria-label={group}>
            <h2>{group}</h2>
            {own.map((field) => (
              <SettingRow key={field.path} field={field} value={valueAt(view.settings, field.path)} />
            ))}
          </section>
        );
      })}
      {found.length === 0 ? <p className="empty">No setting has these words.</p> : null}
    </div>
  );
}

function Problem({ text }: { readonly text: string }): ReactElement {
  return (
    <p className="settings-problem tone-bad selectable" role="alert">
      {text}
    </p>
  );
}

/** What the user wishes for, as a form or as JSON; what is in force stands beside it. */
export function SettingsPanel(): ReactElement {
  const { settingsRoom } = useAppStores();
  const { view, mode, search, error } = useStore(settingsRoom.store);
  useEffect(() => void settingsRoom.load(), [settingsRoom]);
  return (
    <div className="settings-room">
      <div className="settings-bar">
        <FilterInput
          id={SEARCH_INPUT_ID}
          label="Search settings"
          hint="Every word must occur (/)"
          placeholder="Search settings"
          value={search}
          onChange={(text) => settingsRoom.setSearch(text)}
        />
        <span className="spacer" />
        <CommandButton command={mode === "form" ? "settings.json" : "settings.form"} isNamedByText>
          {mode === "form" ? "Edit as JSON" : "Back to the form"}
        </CommandButton>
      </div>
      {view === null || view.problem === null ? null : (
        <Problem text={`${view.problem} What was in force before stays so until it is mended.`} />
      )}
      {error === null ? null : <Problem text={error} />}
      {view === null ? (
        <p className="empty">Reading …</p>
      ) : mode === "form" ? (
        <Form view={view} />
      ) : (
        <JsonView view={view} />
      )}
    </div>
  );
}
