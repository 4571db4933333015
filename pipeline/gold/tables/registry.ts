import type { GoldTable } from "../gold-table.ts";
import { editsPerMinute } from "./edits-per-minute.ts";
import { latenessHistogram } from "./lateness-histogram.ts";
import { topPages } from "./top-pages.ts";
import { userBytes } from "./user-bytes.ts";

/** Every gold table. A test compares this list with the folder. */
export const GOLD_TABLES: readonly GoldTable[] = [editsPerMinute, topPages, userBytes, latenessHistogram];
