/** How a recording is cut into records. */
export type RecordingFormat = "lines" | "values" | "sse";

/**
 * Tells the format by the first bytes of the text (the first chunk, some kB). Lines unless it surely is something else,
 * because cutting at lines keeps a bad record from swallowing its neighbours.
 */
export function detectFormat(head: Uint8Array): RecordingFormat {
  const text = Buffer.from(head.buffer, head.byteOffset, head.byteLength).toString("latin1").trimStart();
  if (/^(:|(?:event|id|data|retry)(?::|[\r\n]))/.test(text) && /(^|[\r\n])data:/.test(text)) return "sse";
  const lines = text.split(/\r?\n/);
  const first = lines[0]?.trim() ?? "";
  if (text.startsWith("["))
    return isJson(first) && lines.slice(1).some((line) => line.trim() !== "") ? "lines" : "values";
  // A document printed over several lines begins with nothing but its bracket.
  return first === "{" ? "values" : "lines";
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    // The question was whether it parses.
    return false;
  }
}
