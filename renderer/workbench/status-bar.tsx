import type { ReactElement } from "react";
import { Icon } from "#renderer/components/icon.tsx";
import { useAppStores, useStatus } from "#renderer/stores/app-stores.ts";
import { runCommand } from "./commands.ts";
import { statusItems, type StatusItem } from "./status-items.ts";

/** Items that open a room, by the command that opens it. */
const OPENS: Readonly<Record<string, string>> = {
  "dead-letters": "dead-letters.open",
  problems: "bottom.problems",
};

function Item({ item }: { readonly item: StatusItem }): ReactElement {
  const stores = useAppStores();
  const command = OPENS[item.id];
  const content = (
    <>
      {item.icon === null ? null : <Icon name={item.icon} />}
      {item.text}
    </>
  );
  const shared = { className: `status-item tone-${item.tone}`, "data-item": item.id };
  return command === undefined ? (
    <span {...shared} title={item.hint}>
      {content}
    </span>
  ) : (
    <button
      type="button"
      {...shared}
      title={`${item.hint}; click to open`}
      onClick={() => runCommand(stores, command)}
    >
      {content}
    </button>
  );
}

/** One line about everything that runs. */
export function StatusBar(): ReactElement {
  const status = useStatus((state) => state.status);
  const { left, right } = statusItems(status);
  return (
    <footer className="status-bar" aria-label="Status">
      {left.map((item) => (
        <Item key={item.id} item={item} />
      ))}
      <span className="spacer" />
      {right.map((item) => (
        <Item key={item.id} item={item} />
      ))}
    </footer>
  );
}
