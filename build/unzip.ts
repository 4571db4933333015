/**
 * Unpacks a zip file with Node alone, so that preparing tools needs no `unzip` on the machine.
 * Reads the central directory (APPNOTE 4.3.12); stored and deflated members only; no zip64, no encryption.
 */
import { createReadStream, createWriteStream } from "node:fs";
import { chmod, mkdir, open, type FileHandle } from "node:fs/promises";
import { dirname, isAbsolute, join, normalize } from "node:path";
import { PassThrough, type Transform } from "node:stream";
import { pipeline } from "node:stream/promises";
import { createInflateRaw } from "node:zlib";

const END_SIGNATURE = 0x06054b50;
const ENTRY_SIGNATURE = 0x02014b50;
const END_BYTES = 22;
const ENTRY_BYTES = 46;
const LOCAL_HEADER_BYTES = 30;
/** The end record may be followed by a comment of up to 65,535 bytes. */
const MAX_COMMENT_BYTES = 0xffff;
const ZIP64_MARK = 0xffffffff;

type Entry = { name: string; method: number; storedBytes: number; localOffset: number; mode: number };

async function readAt(file: FileHandle, offset: number, length: number): Promise<Buffer> {
  const { buffer, bytesRead } = await file.read(Buffer.alloc(length), 0, length, offset);
  if (bytesRead !== length) throw new Error(`zip file ends before byte ${offset + length}`);
  return buffer;
}

async function readEntries(file: FileHandle): Promise<Entry[]> {
  const { size } = await file.stat();
  const tailBytes = Math.min(size, END_BYTES + MAX_COMMENT_BYTES);
  const tail = await readAt(file, size - tailBytes, tailBytes);
  let end = tail.length - END_BYTES;
  while (end >= 0 && tail.readUInt32LE(end) !== END_SIGNATURE) end -= 1;
  if (end < 0) throw new Error("not a zip file: no end record");

  const directory = await readAt(file, tail.readUInt32LE(end + 16), tail.readUInt32LE(end + 12));
  const entries: Entry[] = [];
  for (let at = 0; at < directory.length && directory.readUInt32LE(at) === ENTRY_SIGNATURE;) {
    const nameBytes = directory.readUInt16LE(at + 28);
    const entry: Entry = {
      name: directory.toString("utf8", at + ENTRY_BYTES, at + ENTRY_BYTES + nameBytes),
      method: directory.readUInt16LE(at + 10),
      storedBytes: directory.readUInt32LE(at + 20),
      localOffset: directory.readUInt32LE(at + 42),
      // The upper half of the external attributes is the Unix mode, where the archive was made on Unix.
      mode: (directory.readUInt32LE(at + 38) >>> 16) & 0o777,
    };
    if (entry.storedBytes === ZIP64_MARK || entry.localOffset === ZIP64_MARK)
      throw new Error("zip64 is not supported");
    entries.push(entry);
    at += ENTRY_BYTES + nameBytes + directory.readUInt16LE(at + 30) + directory.readUInt16LE(at + 32);
  }
  if (entries.length !== tail.readUInt16LE(end + 10)) throw new Error("zip directory is damaged");
  return entries;
}

function decoderFor(entry: Entry): Transform {
  if (entry.method === 0) return new PassThrough();
  if (entry.method === 8) return createInflateRaw();
  throw new Error(`${entry.name}: compression method ${entry.method} is not supported`);
}

async function extractEntry(zipPath: string, file: FileHandle, entry: Entry, target: string): Promise<void> {
  const header = await readAt(file, entry.localOffset, LOCAL_HEADER_BYTES);
  const start = entry.localOffset + LOCAL_HEADER_BYTES + header.readUInt16LE(26) + header.readUInt16LE(28);
  await mkdir(dirname(target), { recursive: true });
  if (entry.storedBytes === 0) {
    await (await open(target, "w")).close();
  } else {
    const stored = createReadStream(zipPath, { start, end: start + entry.storedBytes - 1 });
    await pipeline(stored, decoderFor(entry), createWriteStream(target));
  }
  if (entry.mode !== 0) await chmod(target, entry.mode);
}

/**
 * Unpacks the members for which `placeOf` names a relative path; members it answers null for are left out.
 * Refuses paths that leave `targetFolder`. Returns the number of files written.
 */
export async function unzip(
  zipPath: string,
  targetFolder: string,
  placeOf: (name: string) => string | null,
): Promise<number> {
  await using file = await open(zipPath, "r");
  let written = 0;
  for (const entry of await readEntries(file)) {
    const place = entry.name.endsWith("/") ? null : placeOf(entry.name);
    if (place === null) continue;
    const relative = normalize(place);
    if (isAbsolute(relative) || relative.startsWith(".."))
      throw new Error(`zip member leaves the folder: ${entry.name}`);
    await extractEntry(zipPath, file, entry, join(targetFolder, relative));
    written += 1;
  }
  return written;
}
