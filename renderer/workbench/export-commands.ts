import type { ExportFormat } from "#renderer/stores/exports.ts";
import type { WorkbenchCommand } from "./command.ts";

const FORMAT_NAMES: Readonly<Record<ExportFormat, string>> = {
  parquet: "Parquet",
  csv: "CSV",
  ndjson: "NDJSON",
};
const FORMATS = ["parquet", "csv", "ndjson"] as const;

/** Exports of several tables at once, at the newest snapshot. */
export const exportCommands: readonly WorkbenchCommand[] = (["gold", "all"] as const).flatMap((tables) =>
  FORMATS.map((format): WorkbenchCommand => ({
    id: `export.${tables}-${format}`,
    title: `Export: ${tables === "gold" ? "the gold tables" : "all tables"} as ${FORMAT_NAMES[format]} …`,
    keys: [],
    run: ({ exports }) => void exports.saveSet(tables, null, format),
  })),
);
