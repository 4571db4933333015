import { AppError } from "#storage/model/errors.ts";
import type { LakeWriter, MaintenanceResult } from "#storage/model/lake.ts";

/**
 * One bounded step of seal, ladder, pruning or sweep. A transient error (catalog held, disk full) leaves it for the next
 * time: nothing depends on when maintenance happens. Null in that case.
 */
export async function maintainOnce(lake: LakeWriter, nowMs: number): Promise<MaintenanceResult | null> {
  try {
    return await lake.maintain(nowMs);
  } catch (error) {
    if (error instanceof AppError && error.kind === "transient") return null;
    throw error;
  }
}
