/** `text` without leading white space, semicolons and comments (`--` to the end of the line; block comments, which nest). */
export function skipBlanks(text: string): string {
  let position = 0;
  for (;;) {
    const next = skipOne(text, position);
    if (next === position) return text.slice(position);
    position = next;
  }
}

function skipOne(text: string, position: number): number {
  const character = text.charAt(position);
  if (character !== "" && (/\s/.test(character) || character === ";")) return position + 1;
  if (text.startsWith("--", position)) {
    const end = text.indexOf("\n", position);
    return end < 0 ? text.length : end + 1;
  }
  return text.startsWith("/*", position) ? endOfBlock(text, position) : position;
}

function endOfBlock(text: string, start: number): number {
  let depth = 0;
  let position = start;
  while (position < text.length) {
    if (text.startsWith("/*", position)) depth += 1;
    else if (text.startsWith("*/", position)) depth -= 1;
    else {
      position += 1;
      continue;
    }
    position += 2;
    if (depth === 0) return position;
  }
  // Never closed: the parser says so better than we could.
  return start;
}
