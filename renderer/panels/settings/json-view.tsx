import type { ReactElement } from "react";
import { useStore } from "zustand";
import type { SettingsView } from "#main/contract/settings-view.ts";
import { useAppStores } from "#renderer/stores/app-stores.ts";
import { CommandButton } from "#renderer/workbench/command-button.tsx";
import { changedOnly } from "./setting-values.ts";

/** The settings file as text. What differs from the defaults is all that need stand in it. */
export function JsonView({ view }: { readonly view: SettingsView }): ReactElement {
  const { settingsRoom } = useAppStores();
  const json = useStore(settingsRoom.store, (state) => state.json);
  const isOutdated = useStore(settingsRoom.store, (state) => state.isOutdated);
  const text = json ?? view.text ?? `${JSON.stringify(changedOnly(view.settings, view.fields), null, 2)}\n`;
  return (
    <div className="settings-json">
      <p className="path selectable">{view.path}</p>
      {isOutdated ? (
        <div className="outdated" role="alert">
          <span>The file was changed by somebody else while you were editing.</span>
          <button type="button" onClick={() => settingsRoom.takeFile()}>
            Take the file’s text
          </button>
          <button type="button" onClick={() => settingsRoom.keepMine()}>
            Keep mine
          </button>
        </div>
      ) : null}
      <textarea
        aria-label="Settings as JSON"
        spellCheck={false}
        value={text}
        onChange={({ target }) => settingsRoom.editJson(target.value)}
      />
      <div className="buttons">
        <CommandButton command="settings.save" className="primary" isNamedByText>
          Save
        </CommandButton>
        <button type="button" disabled={json === null} onClick={() => settingsRoom.takeFile()}>
          Discard my changes
        </button>
        <span className="quiet">{json === null ? "as the file has it" : "not saved yet"}</span>
      </div>
    </div>
  );
}
