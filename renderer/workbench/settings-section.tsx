import type { ReactElement } from "react";
import { settingLines } from "#main/contract/settings-in-force.ts";
import { formatCount } from "#renderer/components/format.ts";
import { useStatus } from "#renderer/stores/app-stores.ts";

/** The settings that decide results and the offset from which on they hold. The file on disk is only a wish. */
export function SettingsSection(): ReactElement {
  const settings = useStatus(({ status }) => status?.pipeline?.settings ?? null);
  const file = useStatus(({ status }) => status?.settingsFile ?? null);
  return (
    <section aria-label="Settings in force">
      <h2 title={file === null ? undefined : `wished for in ${file.path}; the log says what holds`}>
        Settings in force
      </h2>
      {settings === null ? (
        <p className="empty">Known with the first commit.</p>
      ) : (
        <>
          <Row
            name="since offset"
            value={settings.sinceOffset === null ? "unknown" : formatCount(settings.sinceOffset)}
          />
          {settingLines(settings).map((line) => (
            <Row key={line.name} {...line} />
          ))}
        </>
      )}
      {file === null || file.problem === null ? null : (
        <div className="tree-row" title={file.problem}>
          <span className="name">settings.json</span>
          <span className="value tone-warn">refused</span>
        </div>
      )}
    </section>
  );
}

function Row({ name, value }: { readonly name: string; readonly value: string }): ReactElement {
  return (
    <div className="tree-row" title={`${name}: ${value}`}>
      <span className="name">{name}</span>
      <span className="value">{value}</span>
    </div>
  );
}
