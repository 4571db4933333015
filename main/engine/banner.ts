import type { IngestTelemetry, PipelineTelemetry } from "#pipeline/protocol/telemetry.ts";
import type { Banner, SourceMode, WorkerStatus } from "../contract/app-status.ts";

/** What the choice of a banner depends on. */
export type BannerInput = {
  readonly mode: SourceMode;
  /** Set when the demo runs because the live feed could not be reached: why. */
  readonly fellBackBecause: string | null;
  /** The live feed gave nothing for longer than the limit: why, as far as known. */
  readonly unreachable: string | null;
  /** Why the settings file could not be used; null when it could. */
  readonly settingsProblem: string | null;
  readonly workers: readonly WorkerStatus[];
  readonly ingest: IngestTelemetry | null;
  readonly pipeline: PipelineTelemetry | null;
};

/** The one banner that matters most now, or null. Worst first. */
export function chooseBanner(input: BannerInput): Banner | null {
  return (
    gaveUp(input) ??
    failedSource(input) ??
    catalogHeld(input) ??
    unreachable(input) ??
    settings(input) ??
    clockWrong(input) ??
    demo(input)
  );
}

function gaveUp(input: BannerInput): Banner | null {
  for (const worker of input.workers) {
    if (worker.phase.state !== "gave-up") continue;
    return {
      id: `gave-up-${worker.name}`,
      tone: "bad",
      title: `The ${worker.name} worker stopped`,
      detail: worker.phase.error.message,
      action: { label: "Start it again", command: "source.retry" },
    };
  }
  return null;
}

function failedSource({ ingest }: BannerInput): Banner | null {
  if (ingest?.connection.state !== "failed") return null;
  const { reason, remedy } = ingest.connection;
  return {
    id: "source-failed",
    tone: "bad",
    title: reason,
    detail: remedy,
    action: { label: "Try again", command: "source.retry" },
  };
}

function catalogHeld({ pipeline }: BannerInput): Banner | null {
  if (pipeline === null || pipeline.catalogHeldSinceMs === null) return null;
  const since = new Date(pipeline.catalogHeldSinceMs).toLocaleTimeString();
  return {
    id: "catalog-held",
    tone: "warn",
    title: `Another program holds the catalog since ${since}`,
    detail:
      "Records are still kept in the log; tables go on by themselves as soon as it lets go of lake/catalog.sqlite.",
    action: null,
  };
}

function unreachable({ mode, unreachable: reason }: BannerInput): Banner | null {
  if (mode !== "live" || reason === null) return null;
  return {
    id: "unreachable",
    tone: "warn",
    title: "The live feed cannot be reached",
    detail: `${reason} Highwater keeps trying. The built-in demo feed works without a network.`,
    action: { label: "Use the demo feed", command: "source.use-demo" },
  };
}

function settings({ settingsProblem }: BannerInput): Banner | null {
  if (settingsProblem === null) return null;
  return {
    id: "settings",
    tone: "warn",
    title: "The settings file cannot be used",
    detail: settingsProblem,
    action: null,
  };
}

function clockWrong({ pipeline }: BannerInput): Banner | null {
  if (pipeline === null || !pipeline.clockWrong) return null;
  return {
    id: "clock-wrong",
    tone: "warn",
    title: "This computer's clock seems to be wrong",
    detail:
      "Event times and the local clock are more than five minutes apart. Set the clock; no record is lost by it.",
    action: null,
  };
}

function demo({ mode, fellBackBecause }: BannerInput): Banner | null {
  if (mode !== "demo") return null;
  return {
    id: "demo",
    tone: "info",
    title: "Demo feed: these edits are invented",
    detail:
      fellBackBecause === null
        ? "They are made on this computer and kept in a data folder of their own."
        : `${fellBackBecause} These edits are made on this computer and kept in a data folder of their own.`,
    action: { label: "Try the live feed", command: "source.use-live" },
  };
}
