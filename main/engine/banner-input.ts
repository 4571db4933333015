import type {
  IngestTelemetry,
  PipelineTelemetry,
  QuarantinedTelemetry,
} from "#pipeline/protocol/telemetry.ts";
import type { CatalogWentBack } from "#storage/model/lake.ts";
import type { AppStatus, SourceMode, WorkerStatus } from "../contract/app-status.ts";

/** What the banners depend on. */
export type BannerInput = {
  readonly mode: SourceMode;
  /** Set when the demo runs because the live feed could not be reached: why. */
  readonly fellBackBecause: string | null;
  /** The live feed gave nothing for longer than the limit: why, as far as known. */
  readonly unreachable: string | null;
  readonly settingsFile: AppStatus["settingsFile"];
  /** False where the user's settings name nobody to write to. */
  readonly hasContact: boolean;
  readonly workers: readonly WorkerStatus[];
  readonly ingest: IngestTelemetry | null;
  readonly pipeline: PipelineTelemetry | null;
  readonly findings: Findings;
};

/** What workers found in this run, kept when the worker that found it is gone. */
export type Findings = {
  readonly quarantined: readonly QuarantinedTelemetry[];
  readonly wentBack: CatalogWentBack | null;
  /** Checkpoint before the run's first batch: losses behind it are news, older ones stand in the status. Null while unknown. */
  readonly startCheckpoint: number | null;
};

/** Nothing was found (yet). */
export const NO_FINDINGS: Findings = { quarantined: [], wentBack: null, startCheckpoint: null };
