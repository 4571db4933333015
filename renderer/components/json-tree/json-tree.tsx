import { useState, type ReactElement } from "react";
import { FeedText } from "../feed-text.tsx";
import { Icon } from "../icon.tsx";
import type { JsonNode } from "./parse-json-text.ts";

/** Children painted at once; more wait behind a button, so that a hostile array cannot fill the page. */
const CHILDREN_STEP = 200;
const STRING_LIMIT = 2_000;

type Child = { readonly label: string; readonly value: JsonNode };

function childrenOf(node: JsonNode): readonly Child[] | null {
  if (node.kind === "object") return node.entries.map(({ key, value }) => ({ label: key, value }));
  if (node.kind === "array") return node.items.map((value, at) => ({ label: String(at), value }));
  return null;
}

function Leaf({ node }: { readonly node: JsonNode }): ReactElement | null {
  if (node.kind === "string")
    return <FeedText className="json-string" text={node.value} limit={STRING_LIMIT} />;
  if (node.kind === "literal")
    return <FeedText className="json-literal" text={node.text} limit={STRING_LIMIT} />;
  return null;
}

function Branch({
  label,
  node,
  isOpenAtFirst,
}: {
  label: string;
  node: JsonNode;
  isOpenAtFirst: boolean;
}): ReactElement {
  const [isOpen, setIsOpen] = useState(isOpenAtFirst);
  const [shown, setShown] = useState(CHILDREN_STEP);
  const children = childrenOf(node);
  if (children === null) {
    return (
      <li className="json-leaf">
        <FeedText className="json-key" text={label} />
        <Leaf node={node} />
      </li>
    );
  }
  const size = node.kind === "array" ? `[${children.length}]` : `{${children.length}}`;
  return (
    <li>
      <button type="button" className="json-toggle" aria-expanded={isOpen} onClick={() => setIsOpen(!isOpen)}>
        <Icon name={isOpen ? "chevron-down" : "chevron-right"} />
        <FeedText className="json-key" text={label} />
        <span className="json-size">{size}</span>
      </button>
      {isOpen ? <Children items={children.slice(0, shown)} /> : null}
      {isOpen && shown < children.length ? (
        <button type="button" className="link" onClick={() => setShown(shown + CHILDREN_STEP)}>
          {children.length - shown} more
        </button>
      ) : null}
    </li>
  );
}

function Children({ items }: { readonly items: readonly Child[] }): ReactElement {
  return (
    <ul>
      {items.map(({ label, value }, at) => (
        // Keys may repeat in a record, so the place is part of the identity.
        <Branch key={`${at} ${label}`} label={label} node={value} isOpenAtFirst={false} />
      ))}
    </ul>
  );
}

/** A JSON value as a tree; a branch is built only when it is opened. */
export function JsonTree({ node }: { readonly node: JsonNode }): ReactElement {
  return (
    <ul className="json-tree" aria-label="JSON">
      <Branch label="record" node={node} isOpenAtFirst />
    </ul>
  );
}
