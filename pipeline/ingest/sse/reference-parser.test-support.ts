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

function splitField(line: string): { readonly name: string; readonly value: string } {
  const colon = line.indexOf(":");
  if (colon === -1) return { name: line, value: "" };
  return { name: line.slice(0, colon), value: line.slice(colon + 1).replace(/^ /, "") };
}

const utf8 = (text: string): string => Buffer.from(text, "latin1").toString("utf8");

/** The buffers of the standard's algorithm. */
class ReferenceParser {
  readonly frames: ReferenceFrame[] = [];
  emptyFrames = 0;
  hasField = false;
  #id = "";
  #type = "";
  #data: string[] = [];

  line(line: string): void {
    if (line === "") this.#dispatch();
    else if (!line.startsWith(":")) this.#field(line);
  }

  #field(line: string): void {
    this.hasField = true;
    const { name, value } = splitField(line);
    if (name === "data") this.#data.push(value);
    else if (name === "event") this.#type = value;
    else if (name === "id" && !value.includes("\0")) this.#id = value;
  }

  #dispatch(): void {
    const stream = this.#type === "" ? "message" : utf8(this.#type);
    const data = Buffer.from(this.#data.join("\n"), "latin1");
    if (this.#data.length > 0) this.frames.push({ stream, sourceId: utf8(this.#id), data });
    else if (this.hasField) this.emptyFrames += 1;
    this.#type = "";
    this.#data = [];
    this.hasField = false;
  }
}

/** Parses `bytes` by the standard, each byte standing for one character. */
export function parseByStandard(bytes: Buffer): ReferenceStream {
  const { lines, rest } = splitLines(bytes.toString("latin1").replace(/^\xef\xbb\xbf/, ""));
  const parser = new ReferenceParser();
  for (const line of lines) parser.line(line);
  const { frames, emptyFrames, hasField } = parser;
  return { frames, emptyFrames, isCut: hasField || (rest !== "" && !rest.startsWith(":")) };
}
