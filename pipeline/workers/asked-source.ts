import { isSourceName, type SourceName } from "#storage/model/brand.ts";
import { AppError } from "#storage/model/errors.ts";

/** The source that a question names. Throws `usage` for what cannot be a name. */
export function sourceOf(name: string): SourceName {
  if (isSourceName(name)) return name;
  throw new AppError("usage", `not a source name: ${name.slice(0, 80)}`);
}
