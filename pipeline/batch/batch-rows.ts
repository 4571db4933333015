import { bronzeTable } from "../bronze/bronze-table.ts";
import {
  controlTable,
  deadLettersTable,
  discardsTable,
  lateArrivalsTable,
} from "../dead-letter/record-tables.ts";
import { createTableRows, type TableRows } from "../protocol/table-rows.ts";
import { silverTable } from "../silver/silver-table.ts";

/** Rows of the append tables while a batch is being decided. */
export type BatchRows = {
  readonly bronze: TableRows;
  readonly silver: TableRows;
  readonly deadLetters: TableRows;
  readonly discards: TableRows;
  readonly control: TableRows;
  readonly lateArrivals: TableRows;
};

/** Empty rows for a new batch. */
export function createBatchRows(): BatchRows {
  return {
    bronze: createTableRows(bronzeTable),
    silver: createTableRows(silverTable),
    deadLetters: createTableRows(deadLettersTable),
    discards: createTableRows(discardsTable),
    control: createTableRows(controlTable),
    lateArrivals: createTableRows(lateArrivalsTable),
  };
}
