import { useRef, type ReactElement } from "react";
import { useRowVirtualizer } from "#renderer/components/use-row-virtualizer.ts";
import type { WireCell } from "#pipeline/protocol/query-messages.ts";
import { FeedText } from "#renderer/components/feed-text.tsx";
import type { SqlResult } from "./sql-room.ts";
import { isNumericType } from "./column-types.ts";

function Cell({ value, isNumeric }: { readonly value: WireCell; readonly isNumeric: boolean }): ReactElement {
  return (
    <span role="cell" className={isNumeric ? "cell number" : "cell"}>
      {value === null ? <em className="null">NULL</em> : <FeedText text={String(value)} />}
    </span>
  );
}

/** Rows of a result as the database typed them; numbers are shown digit by digit as they came. */
export function ResultGrid({ result }: { readonly result: SqlResult }): ReactElement {
  const { columns, rows } = result.page;
  const scroller = useRef<HTMLDivElement>(null);
  const virtual = useRowVirtualizer(scroller, rows.length);
  const template = {
    gridTemplateColumns: columns.map(({ type }) => (isNumericType(type) ? "120px" : "200px")).join(" "),
  };
  return (
    <div className="grid" ref={scroller} role="table" aria-label="Result" tabIndex={0}>
      <div className="grid-row head" role="row" style={template}>
        {columns.map(({ name, type }, at) => (
          // Two columns may have one name; their place is their identity.
          <span
            key={at}
            role="columnheader"
            className={isNumericType(type) ? "cell number" : "cell"}
            title={`${name} · ${type}`}
          >
            {name} <small>{type}</small>
          </span>
        ))}
      </div>
      <div className="grid-inner" style={{ height: `${virtual.getTotalSize()}px` }}>
        {virtual.getVirtualItems().map((item) => (
          <div
            key={item.index}
            role="row"
            className="grid-row"
            style={{ ...template, transform: `translateY(${item.start}px)` }}
          >
            {columns.map(({ type }, at) => (
              <Cell key={at} value={rows[item.index]?.[at] ?? null} isNumeric={isNumericType(type)} />
            ))}
          </div>
        ))}
      </div>
    </div>
  );
}
