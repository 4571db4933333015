/** Distinct texts in order of appearance, and for each value the place of its text. */
export type Dictionary = { readonly texts: readonly string[]; readonly indexes: Uint32Array };

/** Rows after which a column that hardly repeats is given up, so that unique columns cost next to nothing. */
const PROBE_VALUES = 256;
/** A dictionary larger than this stops paying; DuckDB's own writer gives up at 1 MB too. */
const MAX_DICTIONARY_CHARS = 1_000_000;

/** The dictionary of a column of texts, or null where it would not pay or where a value is given as bytes. */
export function buildDictionary(values: readonly (string | Uint8Array)[]): Dictionary | null {
  const places = new Map<string, number>();
  const indexes = new Uint32Array(values.length);
  let chars = 0;
  for (let index = 0; index < values.length; index += 1) {
    const text = values[index];
    if (typeof text !== "string") return null;
    let place = places.get(text);
    if (place === undefined) {
      place = places.size;
      places.set(text, place);
      chars += text.length;
      if (chars > MAX_DICTIONARY_CHARS) return null;
      if (index >= PROBE_VALUES && places.size * 2 > index + 1) return null;
    }
    indexes[index] = place;
  }
  if (places.size * 2 > values.length && values.length > 1) return null;
  return { texts: [...places.keys()], indexes };
}
