import { useMemo, type ReactElement } from "react";
import { formatBytes, formatCount } from "#renderer/components/format.ts";
import { firstInvalidUtf8, hexLines, type HexLine, type RecordBytes } from "./record-bytes.ts";

const BYTES_PER_LINE = 16;

function Line({ line, invalidAt }: { readonly line: HexLine; readonly invalidAt: number }): ReactElement {
  const { at, hex, text } = line;
  const marked = invalidAt - at;
  const isMarked = invalidAt !== -1 && marked >= 0 && marked < hex.length;
  const padding = "   ".repeat(BYTES_PER_LINE - hex.length);
  return (
    <>
      <span className="place">{at.toString(16).padStart(6, "0")}</span>
      {"  "}
      {isMarked ? (
        <>
          {hex.slice(0, marked).map((byte) => `${byte} `)}
          <mark className="break" title="the first byte that is no UTF-8">
            {hex[marked]}
          </mark>{" "}
          {hex.slice(marked + 1).map((byte) => `${byte} `)}
        </>
      ) : (
        `${hex.join(" ")} `
      )}
      {padding} {text}
      {"\n"}
    </>
  );
}

/** Original bytes of a record as hex and text, the first one that is no UTF-8 marked. */
export function BytesView({ bytes }: { readonly bytes: RecordBytes }): ReactElement {
  const { head, sizeBytes } = bytes;
  const lines = useMemo(() => hexLines(head), [head]);
  const invalidAt = useMemo(() => firstInvalidUtf8(head, head.length === sizeBytes), [head, sizeBytes]);
  const isCut = head.length < sizeBytes;
  const size = isCut
    ? `first ${formatBytes(head.length)} of ${formatBytes(sizeBytes)}`
    : formatBytes(sizeBytes);
  return (
    <section className="raw bytes-view">
      <p className="held">
        {size} as received ·{" "}
        {invalidAt === -1
          ? `valid UTF-8${isCut ? " as far as shown" : ""}`
          : `byte ${formatCount(invalidAt + 1)} is no UTF-8`}
      </p>
      <pre tabIndex={0} aria-label="Bytes">
        {lines.map((line) => (
          <Line key={line.at} line={line} invalidAt={invalidAt} />
        ))}
      </pre>
    </section>
  );
}
