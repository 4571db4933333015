import { useState, type ReactElement } from "react";
import { useStore } from "zustand";
import { EFFECT_WORDS, type SettingField } from "#main/contract/setting-fields.ts";
import { RULE_IDS } from "#pipeline/protocol/rule-ids.ts";
import { Icon } from "#renderer/components/icon.tsx";
import { useAppStores, useStatus } from "#renderer/stores/app-stores.ts";
import { isSame, valueAt, writeValue } from "./setting-values.ts";

function TextControl({
  field,
  value,
}: {
  readonly field: SettingField;
  readonly value: unknown;
}): ReactElement {
  const { settingsRoom } = useAppStores();
  const wrong = useStore(settingsRoom.store, (state) => state.typed[field.path]);
  const [draft, setDraft] = useState<string | null>(null);
  const shown = draft ?? wrong?.text ?? writeValue(field, value);
  const commit = (): void => {
    if (draft === null) return;
    setDraft(null);
    void settingsRoom.type(field, draft);
  };
  return (
    <>
      <input
        id={`setting-${field.path}`}
        value={shown}
        aria-invalid={wrong !== undefined}
        aria-describedby={`about-${field.path}`}
        onChange={({ target }) => setDraft(target.value)}
        onBlur={commit}
        onKeyDown={(event) => {
          if (event.key === "Enter") commit();
          if (event.key !== "Escape") return;
          setDraft(null);
          event.stopPropagation();
        }}
      />
      {wrong === undefined ? null : (
        <p className="tone-bad" role="alert">
          {wrong.message}
        </p>
      )}
    </>
  );
}

function RulesControl({
  field,
  value,
}: {
  readonly field: SettingField;
  readonly value: unknown;
}): ReactElement {
  const { settingsRoom } = useAppStores();
  const off = Array.isArray(value) ? value.map(String) : [];
  const toggle = (id: string): void =>
    void settingsRoom.set(field, off.includes(id) ? off.filter((other) => other !== id) : [...off, id]);
  return (
    <div className="rules" role="group" aria-label={field.title}>
      {RULE_IDS.map((id) => (
        <label key={id}>
          <input type="checkbox" checked={off.includes(id)} onChange={() => toggle(id)} /> {id}
        </label>
      ))}
    </div>
  );
}

/** Where the wish is not what holds: settings of results wait for their record in the log. */
function InForce({
  field,
  value,
}: {
  readonly field: SettingField;
  readonly value: unknown;
}): ReactElement | null {
  const settings = useStatus(({ status }) => status?.pipeline?.settings ?? null);
  if (field.effect !== "offset" || settings === null) return null;
  const held = valueAt({ result: settings.inForce }, field.path);
  const since =
    settings.sinceOffset === null
      ? "an unknown offset"
      : `offset ${settings.sinceOffset.toLocaleString("en-US")}`;
  return isSame(held, value) ? (
    <span className="in-force">in force since {since} or before</span>
  ) : (
    <span className="in-force tone-warn">
      <Icon name="watch" /> in force is {writeValue(field, held) || "none"}; this waits for its record in the
      log
    </span>
  );
}

/** One setting: what it does, its value, whether it differs from the default, when a change takes effect. */
export function SettingRow({
  field,
  value,
}: {
  readonly field: SettingField;
  readonly value: unknown;
}): ReactElement {
  const { settingsRoom } = useAppStores();
  const isChanged = !isSame(value, field.defaultValue);
  const bounds = [field.min, field.max]
    .filter((bound) => bound !== null)
    .map((bound) => writeValue(field, bound));
  return (
    <div className="setting" data-changed={isChanged} data-path={field.path}>
      <header>
        <label htmlFor={`setting-${field.path}`}>{field.title}</label>
        {isChanged ? (
          <button
            type="button"
            className="icon-button"
            title={`Back to ${writeValue(field, field.defaultValue) || "none"}`}
            aria-label={`Reset ${field.title}`}
            onClick={() => void settingsRoom.set(field, field.defaultValue)}
          >
            <Icon name="discard" />
          </button>
        ) : null}
        <InForce field={field} value={value} />
      </header>
      <p id={`about-${field.path}`}>
        {field.description} Takes effect {EFFECT_WORDS[field.effect]}.
        {bounds.length === 2 ? ` From ${bounds.join(" to ")}.` : ""}
      </p>
      {field.kind === "rules" ? (
        <RulesControl field={field} value={value} />
      ) : (
        <TextControl key={writeValue(field, value)} field={field} value={value} />
      )}
    </div>
  );
}
