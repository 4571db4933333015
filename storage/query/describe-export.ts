import type { ExportContext, ExportFormat } from "./export-copy.ts";
import type { ExportedFile, ExportManifest } from "./export-manifest.ts";

/** The manifest of an export of one snapshot. */
export function describeExport(
  { catalog, at }: ExportContext,
  { format, writtenBy, files }: Described,
): ExportManifest {
  return {
    format: "highwater-export",
    formatVersion: 1,
    writtenBy,
    snapshot: { id: at, committed: catalog.commitTime(at) },
    fileFormat: format,
    files,
  };
}

type Described = {
  readonly format: ExportFormat;
  readonly writtenBy: string;
  readonly files: readonly ExportedFile[];
};
