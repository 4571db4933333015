import { StatementType, type DuckDBConnection, type DuckDBPreparedStatement } from "@duckdb/node-api";
import { AppError } from "../model/errors.ts";
import { skipBlanks } from "./skip-blanks.ts";

/** Words a reading statement begins with; `(` begins one too. */
const READING_WORDS = /^(?:SELECT|FROM|WITH|VALUES|TABLE|DESCRIBE|DESC|SUMMARIZE|SHOW|PIVOT|UNPIVOT)\b|^\(/i;

/**
 * Prepares the one statement in `text` if it only reads: one that DuckDB types SELECT (DESCRIBE, SUMMARIZE, SHOW, VALUES,
 * FROM-first and UNPIVOT are), or EXPLAIN of one. Null where there is nothing but comments and semicolons. Throws
 * `statement-refused` with what to do instead, `statement-failed` for what DuckDB cannot read. The caller destroys the statement.
 */
export async function prepareReading(
  connection: DuckDBConnection,
  text: string,
): Promise<DuckDBPreparedStatement | null> {
  const rest = skipBlanks(text);
  if (rest === "") return null;
  const explained = stripExplain(rest);
  // The first word decides before anything is prepared: PRAGMA is rewritten into a SELECT before it gets a type, and preparing
  // EXPORT DATABASE already makes its folder.
  assertReadingWord(explained ?? rest);
  if (explained === null) return prepareTyped(connection, text, StatementType.SELECT);
  // EXPLAIN ANALYZE COPY is typed EXPLAIN, and runs: what is explained must be a statement that may run.
  (await prepareTyped(connection, explained, StatementType.SELECT)).destroySync();
  return prepareTyped(connection, text, StatementType.EXPLAIN);
}

function assertReadingWord(text: string): void {
  if (READING_WORDS.test(text)) return;
  throw refused(/^[a-z]+/i.exec(text)?.[0].toUpperCase() ?? "this");
}

/** The text behind EXPLAIN and its options, or null where it does not begin so. */
function stripExplain(text: string): string | null {
  const word = /^EXPLAIN\b/i.exec(text);
  if (word === null) return null;
  let rest = skipBlanks(text.slice(word[0].length));
  rest = skipBlanks(rest.replace(/^ANALYZE\b/i, ""));
  return skipBlanks(rest.replace(/^\(\s*(?:FORMAT|ANALYZE)\b[^)]*\)/i, ""));
}

async function prepareTyped(
  connection: DuckDBConnection,
  text: string,
  type: StatementType,
): Promise<DuckDBPreparedStatement> {
  const statement = await prepareFirst(connection, text);
  if (statement.statementType === type) return statement;
  const found = StatementType[statement.statementType] ?? "this statement";
  statement.destroySync();
  throw refused(found);
}

async function prepareFirst(connection: DuckDBConnection, text: string): Promise<DuckDBPreparedStatement> {
  let first: DuckDBPreparedStatement;
  let count: number;
  try {
    const statements = await connection.extractStatements(text);
    count = statements.count;
    first = await statements.prepare(0);
  } catch (error) {
    throw statementFailed(error);
  }
  if (count === 1) return first;
  const type = first.statementType;
  first.destroySync();
  // PIVOT without values becomes two statements, the first of which creates a type of the values it finds; no statement that
  // begins with a reading word is typed so otherwise.
  if (type === StatementType.CREATE) {
    throw new AppError(
      "statement-refused",
      "PIVOT needs its values here; give the values: ON column IN ('a', 'b', …)",
    );
  }
  throw new AppError("statement-refused", `there are ${count} statements; run one at a time (select it)`, {
    details: { statements: count },
  });
}

function refused(what: string): AppError {
  return new AppError(
    "statement-refused",
    `${what} is not run here: the lake is read-only. Use SELECT, DESCRIBE, SUMMARIZE, SHOW or EXPLAIN; to write a file, use export`,
  );
}

/** DuckDB's refusal as an error for the one who asked: its own words, without the native wrapping. */
export function statementFailed(error: unknown): AppError {
  const message = error instanceof Error ? error.message : String(error);
  return new AppError(
    "statement-failed",
    message.replace(/^Failed to (?:extract statements|prepare): /, "").trim(),
    {
      cause: error,
    },
  );
}
