import type { ReactElement } from "react";
import { FeedText } from "#renderer/components/feed-text.tsx";
import { Icon } from "#renderer/components/icon.tsx";
import { useAppStores, useStatus } from "#renderer/stores/app-stores.ts";
import { runCommand } from "../commands.ts";
import { listProblems } from "./problems.ts";

const ICONS = { info: "info", warn: "warning", bad: "error" } as const;

/** What needs attention now. */
export function ProblemsView(): ReactElement {
  const stores = useAppStores();
  const status = useStatus((state) => state.status);
  const problems = listProblems(status);
  if (problems.length === 0)
    return <p className="empty">{status === null ? "Starting …" : "No problems are known right now."}</p>;
  return (
    <ul className="bottom-list selectable" aria-label="Problems">
      {problems.map(({ id, tone, text, detail, action }) => (
        <li key={id} title={text}>
          <span className={`tone-${tone}`}>
            <Icon name={ICONS[tone]} />
          </span>
          <span className="what">{text}</span>
          <span className="detail">
            {/* A topic is a word of the feed. */}
            <FeedText text={detail} />
          </span>
          {action === null ? null : (
            <button type="button" className="link" onClick={() => runCommand(stores, action.command)}>
              {action.label}
            </button>
          )}
        </li>
      ))}
    </ul>
  );
}
