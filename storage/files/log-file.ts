import { closeSync, fstatSync, openSync, renameSync, rmSync, writeSync } from "node:fs";
import { join } from "node:path";
import type { Clock } from "../model/clock.ts";
import { systemClock } from "../model/clock.ts";

/** Severity of a line. */
export type LogLevel = "info" | "warn" | "error";

/** A readable log file of one worker, with a bounded size. */
export type LogFile = {
  /** Appends one line. Never throws: a worker must not end because its log cannot be written. */
  readonly write: (level: LogLevel, message: string) => void;
  /** Lines that could not be written (full disk, removed folder); told again in the log when it works again. */
  readonly lostLines: () => number;
  readonly close: () => void;
};

/** Size and number of files; with the defaults a worker's log takes at most 20 MiB. */
export type LogFileOptions = {
  readonly folder: string;
  /** Name without ending, normally the worker's. */
  readonly name: string;
  readonly maxBytes?: number;
  /** Files kept beside the current one, `<name>.1.log` being the newest. */
  readonly keepFiles?: number;
  readonly clock?: Clock;
};

/** A longer message is cut, so that one hostile record cannot push everything else out of the log. */
const MAX_LINE_CHARACTERS = 8_192;

/** Opens `<folder>/<name>.log` to append. Must be closed. */
export function openLogFile(options: LogFileOptions): LogFile {
  const { folder, name, maxBytes = 5 * 1_048_576, keepFiles = 3, clock = systemClock } = options;
  const pathOf = (index: number): string =>
    join(folder, index === 0 ? `${name}.log` : `${name}.${index}.log`);
  let descriptor: number | null = null;
  let bytes = 0;
  let lost = 0;

  const open = (): number => {
    if (descriptor === null) {
      descriptor = openSync(pathOf(0), "a", 0o600);
      bytes = fstatSync(descriptor).size;
    }
    return descriptor;
  };
  const close = (): void => {
    if (descriptor !== null) closeSync(descriptor);
    descriptor = null;
  };
  const rotate = (): void => {
    close();
    rmSync(pathOf(keepFiles), { force: true });
    for (let index = keepFiles - 1; index >= 0; index -= 1) moveIfThere(pathOf(index), pathOf(index + 1));
  };
  const append = (line: string): void => {
    const data = Buffer.from(line, "utf8");
    open();
    if (bytes > 0 && bytes + data.length > maxBytes) rotate();
    bytes += writeSync(open(), data);
  };
  return {
    write: (level, message) => {
      const time = new Date(clock.nowMs()).toISOString();
      try {
        if (lost > 0) append(`${time} warn ${lost} lines could not be written before this one\n`);
        lost = 0;
        append(`${time} ${level} ${oneLine(message)}\n`);
      } catch {
        // Counted, and told by the next line that can be written.
        lost += 1;
      }
    },
    lostLines: () => lost,
    close,
  };
}

function moveIfThere(from: string, to: string): void {
  try {
    renameSync(from, to);
  } catch {
    // Not there yet (fewer rotations than kept files), or held by a reader on Windows: the next rotation tries again.
  }
}

/** Feed text in a log must not forge lines or steer a terminal: control characters are written as escapes. */
function oneLine(message: string): string {
  const cut =
    message.length > MAX_LINE_CHARACTERS
      ? `${message.slice(0, MAX_LINE_CHARACTERS)}… (${message.length - MAX_LINE_CHARACTERS} more characters)`
      : message;
  return cut.replace(
    /[\p{Cc}\u2028\u2029\u202a-\u202e\u2066-\u2069]/gu,
    (character) => `\\u${(character.codePointAt(0) ?? 0).toString(16).padStart(4, "0")}`,
  );
}
