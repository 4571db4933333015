import type { ReactElement } from "react";
import { Icon } from "#renderer/components/icon.tsx";
import { useStatus } from "#renderer/stores/app-stores.ts";
import { statusItems, type StatusItem } from "./status-items.ts";

function Item({ item }: { readonly item: StatusItem }): ReactElement {
  return (
    <span className={`status-item tone-${item.tone}`} data-item={item.id} title={item.hint}>
      {item.icon === null ? null : <Icon name={item.icon} />}
      {item.text}
    </span>
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
