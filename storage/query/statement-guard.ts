import { StatementType, type DuckDBConnection, type DuckDBPreparedStatement } from "@duckdb/node-api";
import { AppError, type ErrorDetails } from "../model/errors.ts";
import { scanSql, skipBlanks, withPlainSpaces } from "../model/sql-text.ts";
import { placeAt, statementFailed } from "./statement-error.ts";

/** Words a reading statement begins with; `(` begins one too. */
const READING_WORDS = /^(?:SELECT|FROM|WITH|VALUES|TABLE|DESCRIBE|DESC|SUMMARIZE|SHOW|PIVOT|UNPIVOT)\b|^\(/i;

/** First words of DuckDB's other statements: refused before anything is parsed, since parsing IMPORT DATABASE already reads files. */
const OTHER_WORDS =
  /^(?:ABORT|ALTER|ANALYZE|ATTACH|BEGIN|CALL|CHECKPOINT|COMMENT|COMMIT|COPY|CREATE|DEALLOCATE|DELETE|DETACH|DROP|END|EXECUTE|EXPLAIN|EXPORT|FORCE|GRANT|IMPORT|INSERT|INSTALL|LOAD|MERGE|PRAGMA|PREPARE|REINDEX|RELEASE|RESET|REVOKE|ROLLBACK|SAVEPOINT|SET|START|TRUNCATE|UNLOAD|UPDATE|USE|VACUUM)\b/i;

/**
 * Functions that change DuckDB's own state although they are called in a SELECT: its logs, its profile on standard output, its
 * checkpoints. None reaches a file; they would only disturb whoever asks next.
 */
const STATE_FUNCTIONS =
  "(?:enable|disable)_(?:logging|profiling)|truncate_duckdb_logs|write_log|(?:force_)?checkpoint";
const STATE_CALL = new RegExp(
  String.raw`(?<!["\w])(?:${STATE_FUNCTIONS})\s*\(|"(?:${STATE_FUNCTIONS})"\s*\(`,
  "iu",
);

/** A statement or a part of one: `text` is all that was typed, the part begins at `from`. */
type Part = { readonly text: string; readonly from: number };

/**
 * Prepares the one statement in `text` if it only reads: one that DuckDB types SELECT (DESCRIBE, SUMMARIZE, SHOW, VALUES,
 * FROM-first and UNPIVOT are), or EXPLAIN of one. Null where there is nothing but comments and semicolons. Throws
 * `statement-refused` with what to do instead, `statement-failed` for what DuckDB cannot read, both with their place. The
 * caller destroys the statement.
 */
export async function prepareReading(
  connection: DuckDBConnection,
  typed: string,
): Promise<DuckDBPreparedStatement | null> {
  // DuckDB replaces exotic spaces itself, and then counts its places in another text than the one that was typed.
  const text = withPlainSpaces(typed);
  const rest = skipBlanks(text);
  if (rest === "") return null;
  const explained = stripExplain(rest);
  // The first word decides before anything is prepared: PRAGMA is rewritten into a SELECT before it gets a type, and preparing
  // EXPORT DATABASE already makes its folder.
  assertReadingWord({ text, from: text.length - (explained ?? rest).length });
  assertKeepsState(text);
  const whole = { text, from: 0 };
  if (explained === null) return prepareTyped(connection, whole, StatementType.SELECT);
  // EXPLAIN ANALYZE COPY is typed EXPLAIN, and runs: what is explained must be a statement that may run.
  const inner = { text, from: text.length - explained.length };
  (await prepareTyped(connection, inner, StatementType.SELECT)).destroySync();
  return prepareTyped(connection, whole, StatementType.EXPLAIN);
}

function assertReadingWord(part: Part): void {
  const text = part.text.slice(part.from);
  if (READING_WORDS.test(text)) return;
  const place = placeAt(part.text, part.from);
  const other = OTHER_WORDS.exec(text)?.[0];
  if (other !== undefined) throw refused(other.toUpperCase(), place);
  if (text.startsWith("/*")) throw failed("unterminated /* comment", place);
  // In DuckDB's own words for what begins no statement; it is not asked, since a later version may know the word.
  throw failed(`syntax error at or near "${/^[\p{L}\p{N}_]+|^[^]/u.exec(text)?.[0] ?? ""}"`, place);
}

function assertKeepsState(text: string): void {
  // Texts count where the statement may build another from them (query). A blank in place of each other span keeps all places.
  const readsTexts = /\bquery\b/i.test(text);
  const code = scanSql(text)
    .map(({ kind, from, to }) => {
      const isCode = kind === "code" || kind === "name" || (kind === "string" && readsTexts);
      return isCode ? text.slice(from, to) : " ".repeat(to - from);
    })
    .join("");
  const found = STATE_CALL.exec(code);
  if (found !== null) throw refused(found[0].replace(/\s*\($/, ""), placeAt(text, found.index));
}

function failed(what: string, details: ErrorDetails): AppError {
  return new AppError("statement-failed", `Parser Error: ${what}`, { details });
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
  part: Part,
  type: StatementType,
): Promise<DuckDBPreparedStatement> {
  const statement = await prepareFirst(connection, part);
  if (statement.statementType === type) return statement;
  const found = StatementType[statement.statementType] ?? "this statement";
  statement.destroySync();
  throw refused(found, placeAt(part.text, part.text.length - skipBlanks(part.text.slice(part.from)).length));
}

async function prepareFirst(connection: DuckDBConnection, part: Part): Promise<DuckDBPreparedStatement> {
  let first: DuckDBPreparedStatement;
  let count: number;
  try {
    const statements = await connection.extractStatements(part.text.slice(part.from));
    count = statements.count;
    first = await statements.prepare(0);
  } catch (error) {
    throw statementFailed(error, { text: part.text, shift: part.from });
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
      { details: pivotPlace(part) },
    );
  }
  throw new AppError("statement-refused", `there are ${count} statements; run one at a time (select it)`, {
    details: { statements: count },
  });
}

function pivotPlace({ text, from }: Part): ErrorDetails {
  const at = text.slice(from).search(/\bPIVOT\b/iu);
  return at < 0 ? {} : placeAt(text, from + at);
}

function refused(what: string, details: ErrorDetails): AppError {
  return new AppError(
    "statement-refused",
    `${what} is not run here: the lake is read-only. Use SELECT, DESCRIBE, SUMMARIZE, SHOW or EXPLAIN; to write a file, use export`,
    { details },
  );
}
