import { type ReactElement, useEffect, useMemo, useRef } from "react";
import type { BatchStep, SealStep } from "#pipeline/protocol/lake-steps.ts";
import {
  formatBytes,
  formatCount,
  formatDuration,
  formatTime,
  formatUtc,
} from "#renderer/components/format.ts";
import { useRowVirtualizer } from "#renderer/components/use-row-virtualizer.ts";
import { usePipelineRoom } from "#renderer/stores/app-stores.ts";
import { type BatchLine, MAX_BATCH_LINES } from "./batch-lines.ts";

const COLUMNS = [
  "snapshot",
  "time",
  "mode",
  "offsets",
  "records",
  "bronze",
  "side exits",
  "gold",
  "commit",
  "fresh",
];

/** What left the way in a batch; only what did. */
function exitsOf({ late, deadLetters, duplicates, filtered }: BatchStep["counts"]): string {
  const named: readonly (readonly [number, string])[] = [
    [deadLetters, "dead"],
    [duplicates, "dup"],
    [filtered, "filtered"],
    [late, "late"],
  ];
  return named
    .filter(([count]) => count > 0)
    .map(([count, name]) => `${formatCount(count)} ${name}`)
    .join(" · ");
}

function batchCells(step: BatchStep): readonly string[] {
  const { snapshotId, commitTimeMs, mode, fromOffset, toOffset, counts, commitMs, freshnessMs, upkeep } =
    step;
  const done = upkeep === null ? "" : ` · ${upkeep.did}`;
  return [
    `#${formatCount(snapshotId)}`,
    formatTime(commitTimeMs),
    `${mode === "live" ? "live" : "catching up"}${done}`,
    `${formatCount(fromOffset)}–${formatCount(toOffset)}`,
    formatCount(toOffset - fromOffset + 1),
    formatCount(counts.bronze),
    exitsOf(counts),
    formatCount(counts.gold),
    `${formatCount(commitMs)} ms`,
    formatDuration(freshnessMs),
  ];
}

function sealText({ rows, files, bytes, commitMs }: SealStep): string {
  return `sealed ${formatCount(rows)} rows into ${formatCount(files)} files, ${formatBytes(bytes)}, in ${formatDuration(commitMs)}`;
}

function missedText({ count, fromOffset, toOffset }: Extract<BatchLine, { kind: "missed" }>): string {
  const what =
    count === null ? "batches before a restart" : count === 1 ? "1 batch" : `${formatCount(count)} batches`;
  const where =
    fromOffset === null || toOffset === null
      ? ""
      : ` (offsets ${formatCount(fromOffset)}–${formatCount(toOffset)})`;
  return `${what} not seen by this window${where}; the lake has them`;
}

function Cells({ line }: { readonly line: BatchLine }): ReactElement {
  if (line.kind === "missed")
    return (
      <span role="cell" aria-colspan={COLUMNS.length} className="wide quiet">
        {missedText(line)}
      </span>
    );
  const { step } = line;
  if (step.kind === "seal")
    return (
      <>
        <span role="cell">#{formatCount(step.snapshotId)}</span>
        <span role="cell">{formatTime(step.commitTimeMs)}</span>
        <span role="cell" aria-colspan={COLUMNS.length - 2} className="rest tone-ok">
          {sealText(step)}
        </span>
      </>
    );
  return (
    <>
      {batchCells(step).map((text, at) => (
        <span role="cell" key={COLUMNS[at]} title={titleOf(step, at, text)}>
          {text}
        </span>
      ))}
    </>
  );
}

function titleOf({ commitTimeMs, upkeep }: BatchStep, column: number, text: string): string {
  if (COLUMNS[column] === "time") return formatUtc(commitTimeMs);
  if (COLUMNS[column] === "mode" && upkeep !== null)
    return `then ${upkeep.did}: ${formatCount(upkeep.rows)} rows, ${formatCount(upkeep.files)} files`;
  return text;
}

function usePointedRow(lines: readonly BatchLine[], scrollTo: (index: number) => void): number | null {
  const pointed = usePipelineRoom((state) => state.pointed);
  const wanted = pointed?.kind === "batch" ? pointed.snapshotId : null;
  useEffect(() => {
    const index = lines.findIndex((line) => line.kind === "step" && line.step.snapshotId === wanted);
    if (wanted !== null && index !== -1) scrollTo(index);
    // Only what was pointed at scrolls; new rows must not.
    // oxlint-disable-next-line react/exhaustive-deps
  }, [pointed]);
  return wanted;
}

function Rows({ lines }: { readonly lines: readonly BatchLine[] }): ReactElement {
  const scroller = useRef<HTMLDivElement>(null);
  const virtual = useRowVirtualizer(scroller, lines.length);
  const wanted = usePointedRow(lines, (index) => virtual.scrollToIndex(index, { align: "center" }));
  return (
    <div className="batch-rows" ref={scroller} role="rowgroup" tabIndex={0} aria-label="Newest commits first">
      <div className="rows-inner" role="presentation" style={{ height: `${virtual.getTotalSize()}px` }}>
        {virtual.getVirtualItems().map((item) => {
          const line = lines[item.index];
          if (line === undefined) return null;
          const isWanted = line.kind === "step" && line.step.snapshotId === wanted;
          return (
            <div
              key={line.key}
              role="row"
              aria-rowindex={item.index + 2}
              className={`batch-row ${isWanted ? "pointed" : ""}`}
              data-line={line.kind === "step" ? line.step.kind : "missed"}
              style={{ transform: `translateY(${item.start}px)` }}
            >
              <Cells line={line} />
            </div>
          );
        })}
      </div>
    </div>
  );
}

/** The newest commits and seals, newest first, as this window saw them. */
export function LastBatches(): ReactElement {
  const batches = usePipelineRoom((state) => state.batches);
  const lines = useMemo(() => batches.toReversed(), [batches]);
  return (
    <section className="room-card batches" aria-label="Last batches">
      <header>
        <h2>Last batches</h2>
        <span className="summary">the newest {MAX_BATCH_LINES} that this window saw</span>
      </header>
      {lines.length === 0 ? (
        <p className="quiet">Every commit will stand here with its snapshot, offsets and duration.</p>
      ) : (
        <div className="batch-table" role="table" aria-label="Last batches" aria-rowcount={lines.length + 1}>
          <div className="batch-row head" role="row" aria-rowindex={1}>
            {COLUMNS.map((name) => (
              <span role="columnheader" key={name}>
                {name}
              </span>
            ))}
          </div>
          <Rows lines={lines} />
        </div>
      )}
    </section>
  );
}
