import type { ReactElement } from "react";
import { FeedText } from "#renderer/components/feed-text.tsx";
import { Icon } from "#renderer/components/icon.tsx";
import type { JsonNode } from "#renderer/components/json-tree/parse-json-text.ts";
import { useAppStores } from "#renderer/stores/app-stores.ts";
import { openLink } from "./record-actions.ts";
import { isWebLink, recordLinks } from "./record-links.ts";

/** The links of a record as buttons that say where they lead; an address that is none stays text (field case C13). */
export function RecordLinksBar({ json }: { readonly json: JsonNode | null }): ReactElement | null {
  const stores = useAppStores();
  const { page, diff } = recordLinks(json);
  const links = [
    { name: "Difference", url: diff },
    { name: "Page", url: page },
  ].filter((link): link is { name: string; url: string } => link.url !== null);
  if (links.length === 0) return null;
  return (
    <div className="buttons record-links">
      {links.map(({ name, url }) =>
        isWebLink(url) ? (
          <button key={name} type="button" title={url} onClick={() => void openLink(stores, url)}>
            <Icon name="link-external" /> {name}
          </button>
        ) : (
          <span key={name} className="no-link" title="only https addresses are opened">
            {name}: <FeedText text={url} /> · not a link
          </span>
        ),
      )}
    </div>
  );
}
