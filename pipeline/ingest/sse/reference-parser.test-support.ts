/** A frame as the HTML standard, 9.2.6, builds it, from bytes. Written for clearness only; tests compare with it. */
export type ReferenceFrame = { readonly stream: string; readonly sourceId: string; readonly data: Buffer };

/** What the standard makes of a whole stream. */
export type ReferenceStream = {
  readonly frames: readonly ReferenceFrame[];
  readonly emptyFrames: number;
  readonly isCut: boolean;
};

/** Splits into lines at CR LF, LF and CR; the rest behind the last one is no line. */
function splitLines(text: string): { readonly lines: readonly string[]; readonly rest: string } {
  const parts = text.split(/\r\n|\n|\r/);
  return { lines: parts.slice(0, -1), rest: parts.at(-1) ?? "" };
}

/** Parses `bytes` by the standard, each byte standing for one character. */
export function parseByStandard(bytes: Buffer): ReferenceStream {
  const { lines, rest } = splitLines(bytes.toString("latin1").replace(/^\xef\xbb\xbf/, ""));
  const utf8 = (text: string): string => Buffer.from(text, "latin1").toString("utf8");
  const frames: ReferenceFrame[] = [];
  let lastId = "";
  let idBuffer = "";
  let type = "";
  let data: string[] = [];
  let hasField = false;
  let emptyFrames = 0;
  for (const line of lines) {
    if (line === "") {
      lastId = idBuffer;
      if (data.length > 0) {
        const stream = type === "" ? "message" : utf8(type);
        frames.push({ stream, sourceId: utf8(lastId), data: Buffer.from(data.join("\n"), "latin1") });
      } else if (hasField) emptyFrames += 1;
      type = "";
      data = [];
      hasField = false;
      continue;
    }
    if (line.startsWith(":")) continue;
    hasField = true;
    const colon = line.indexOf(":");
    const name = colon === -1 ? line : line.slice(0, colon);
    const value = colon === -1 ? "" : line.slice(colon + 1).replace(/^ /, "");
    if (name === "data") data.push(value);
    else if (name === "event") type = value;
    else if (name === "id" && !value.includes("\0")) idBuffer = value;
  }
  return { frames, emptyFrames, isCut: hasField || (rest !== "" && !rest.startsWith(":")) };
}
