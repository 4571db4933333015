import { open } from "node:fs/promises";
import { join } from "node:path";
import type { CommandHandlers } from "#main/contract/commands.ts";
import { dataFolderAt } from "#storage/files/data-folder.ts";
import { AppError } from "#storage/model/errors.ts";
import type { Engine } from "../engine/engine-contract.ts";

/** Read at once: more than a screen shows, less than a message should carry. */
const MAX_BYTES = 131_072;
/** What a view that opens gets of the past. */
const TAIL_BYTES = 65_536;
const LINE_FEED = 10;

/** Handlers that read the log files of workers and main in the data folder in use. */
export function createLogHandlers(engine: Pick<Engine, "status">): Pick<CommandHandlers, "logs.read"> {
  return {
    "logs.read": async ({ name, fromByte }) => {
      const { dataFolder } = engine.status();
      const path = join(dataFolderAt(dataFolder).logs, `${name}.log`);
      return { dataFolder, ...(await readPart(path, fromByte)) };
    },
  };
}

/** Whole lines from `fromByte` on; the end of the file where it is null, or where the file was rotated and is shorter now. */
async function readPart(
  path: string,
  fromByte: number | null,
): Promise<{ readonly text: string; readonly toByte: number; readonly continues: boolean }> {
  let file;
  try {
    file = await open(path, "r");
  } catch (error) {
    // No line was written yet.
    if (error instanceof Error && "code" in error && error.code === "ENOENT")
      return { text: "", toByte: 0, continues: false };
    throw new AppError("store-unreadable", `${path} cannot be read: ${String(error)}`, { cause: error });
  }
  try {
    const { size } = await file.stat();
    const continues = fromByte !== null && fromByte <= size && size - fromByte <= MAX_BYTES;
    const from = continues ? fromByte : Math.max(0, size - TAIL_BYTES);
    const { bytesRead, buffer } = await file.read({ buffer: Buffer.alloc(size - from), position: from });
    const read = buffer.subarray(0, bytesRead);
    // A line that is being written is read when it is whole; one that begins before the part is left out.
    const end = read.lastIndexOf(LINE_FEED) + 1;
    const start = continues || from === 0 ? 0 : read.indexOf(LINE_FEED) + 1;
    return { text: read.subarray(start, end).toString("utf8"), toByte: from + end, continues };
  } finally {
    await file.close();
  }
}
