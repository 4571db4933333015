import { PostgreSQL, sql, SQLDialect } from "@codemirror/lang-sql";
import { HighlightStyle, syntaxHighlighting } from "@codemirror/language";
import type { Extension } from "@codemirror/state";
import { tags } from "@lezer/highlight";

/** Words of DuckDB that PostgreSQL does not have. */
const KEYWORDS =
  "anti asof attach columns describe exclude glob ilike install lambda list macro map parquet pivot pivot_longer pivot_wider positional pragma qualify replace rename sample semi struct summarize try_cast unpivot";
const TYPES =
  "bignum blob double float hugeint list map struct tinyint ubigint uhugeint uinteger union usmallint utinyint uuid";

/** SQL as DuckDB reads it, for colours. */
const duckDb = SQLDialect.define({
  ...PostgreSQL.spec,
  keywords: `${PostgreSQL.spec.keywords ?? ""} ${KEYWORDS}`,
  types: `${PostgreSQL.spec.types ?? ""} ${TYPES}`,
});

/** Colours of the syntax, by the theme's variables, so that a change of theme needs nothing. */
const colours = HighlightStyle.define([
  { tag: [tags.keyword, tags.operatorKeyword], color: "var(--accent)" },
  { tag: [tags.string, tags.special(tags.string)], color: "var(--ok)" },
  { tag: [tags.number, tags.bool, tags.null], color: "var(--late)" },
  { tag: [tags.comment], color: "var(--text-3)", fontStyle: "italic" },
  { tag: [tags.typeName, tags.function(tags.variableName)], color: "var(--warn)" },
]);

export const sqlLanguage: Extension = [
  sql({ dialect: duckDb, upperCaseKeywords: true }),
  syntaxHighlighting(colours),
];
