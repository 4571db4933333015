import type { TableDef } from "#storage/model/table.ts";
import { bronzeTable } from "../bronze/bronze-table.ts";
import {
  controlTable,
  deadLettersTable,
  discardsTable,
  lateArrivalsTable,
} from "../dead-letter/record-tables.ts";
import { editsPerMinuteTable } from "../gold/tables/edits-per-minute-table.ts";
import { latenessHistogramTable } from "../gold/tables/lateness-histogram-table.ts";
import { topPagesTable } from "../gold/tables/top-pages-table.ts";
import { userBytesTable } from "../gold/tables/user-bytes-table.ts";
import { silverTable } from "../silver/silver-table.ts";

/** Every table of the lake; the pipeline worker creates those that a catalog lacks, in this order. */
export const LAKE_TABLES: readonly TableDef[] = [
  bronzeTable,
  silverTable,
  deadLettersTable,
  discardsTable,
  controlTable,
  lateArrivalsTable,
  editsPerMinuteTable,
  topPagesTable,
  userBytesTable,
  latenessHistogramTable,
];
