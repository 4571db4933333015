import { AppError, type ErrorDetails } from "../model/errors.ts";

/**
 * A place in a statement, for an error's details: `line` and `column` from 1, `offset` from 0, in UTF-16 units of the text as it
 * was typed (what editors count in).
 */
export type StatementPlace = { readonly line: number; readonly column: number; readonly offset: number };

/** The place of an offset. */
export function placeAt(text: string, offset: number): StatementPlace {
  const lines = text.slice(0, offset).split(/\r\n|\r|\n/u);
  return { line: lines.length, column: (lines.at(-1) ?? "").length + 1, offset };
}

/** What DuckDB says when `errors_as_json` is set. `position` counts bytes of the statement. */
type DuckDbError = { readonly type: string; readonly message: string; readonly position: number | null };

/**
 * DuckDB's refusal as an error for the one who asked: its own words, without the native wrapping. `text`: the statement that
 * was given to DuckDB, for the place; `shift`: where that begins in what was typed. Null where places mean nothing to the asker.
 */
export function statementFailed(
  error: unknown,
  source: { readonly text: string; readonly shift: number } | null = null,
): AppError {
  const message = error instanceof Error ? error.message : String(error);
  const told = readDuckDbError(message.replace(/^Failed to (?:extract statements|prepare): /u, ""));
  return new AppError("statement-failed", `${told.type} Error: ${told.message}`.trim(), {
    cause: error,
    details: placeOf(told.position, source),
  });
}

function placeOf(
  position: number | null,
  source: { readonly text: string; readonly shift: number } | null,
): ErrorDetails {
  if (position === null || source === null) return {};
  const typed = source.text.slice(source.shift);
  const before = Buffer.from(typed, "utf8").subarray(0, position).toString("utf8");
  return placeAt(source.text, source.shift + before.length);
}

function readDuckDbError(text: string): DuckDbError {
  const [, type = "Database", rest = text] = /^([\w ]{1,40}) Error: ([\s\S]*)$/u.exec(text) ?? [];
  const json = parseFields(text) ?? parseFields(rest);
  if (json === null) return { type, message: rest, position: null };
  const field = (name: string): string => (typeof json[name] === "string" ? json[name] : "");
  const position = /^\d+$/u.test(field("position")) ? Number(field("position")) : null;
  return {
    type: field("exception_type") || type,
    message: field("exception_message").trim() || rest,
    position,
  };
}

function parseFields(text: string): Record<string, unknown> | null {
  if (!text.startsWith("{")) return null;
  try {
    const parsed: unknown = JSON.parse(text);
    return typeof parsed === "object" && parsed !== null ? { ...parsed } : null;
  } catch {
    // A message that only looks like JSON is a message.
    return null;
  }
}
