import { createHash } from "node:crypto";
import { linkSync, lstatSync, rmSync } from "node:fs";
import { connect, createServer, type Server, type Socket } from "node:net";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { makeFolders } from "#storage/files/make-folders.ts";
import { AppError } from "#storage/model/errors.ts";

/** What the holder of a data folder says of itself to a second start. */
export type HolderInfo = { readonly pid: number; readonly startedMs: number; readonly version: string };

/** A line-based request on the local socket; answered with one JSON line. */
export type SocketHandler = (request: unknown) => Promise<unknown>;

/** Longest path of a Unix socket that every platform takes (macOS: 104 with its end mark, Linux: 108). */
const SOCKET_PATH_LIMIT = 100;
/** A holder that does not answer within this time is treated as hanging; its socket is not taken over. */
const ANSWER_LIMIT_MS = 2_000;
/** Requests are short; a longer line is not one of ours. */
const REQUEST_LIMIT_BYTES = 65_536;

/** Rounds of looking and linking; each ends at once when somebody answers. */
const CLAIM_ATTEMPTS = 40;
const GUARD_POLL_MS = 5;
/** Far longer than the few calls that a guard covers, far shorter than a user's patience: attempts wait it out. */
const GUARD_LIFE_MS = 100;

/**
 * The address of a data folder's socket: `app.sock` inside it, a hash in the runtime folder where that path is too long,
 * a named pipe on Windows.
 */
export function socketAddress(socketPath: string, env: NodeJS.ProcessEnv = process.env): string {
  const hash = createHash("sha256").update(socketPath).digest("hex").slice(0, 24);
  if (process.platform === "win32") return `\\\\.\\pipe\\highwater-${hash}`;
  if (Buffer.byteLength(socketPath) <= SOCKET_PATH_LIMIT) return socketPath;
  const runtime = env["XDG_RUNTIME_DIR"];
  const folder = runtime !== undefined && runtime.startsWith("/") && runtime.length < 60 ? runtime : tmpdir();
  return join(folder, `highwater-${hash}.sock`);
}

/** Sends one request to the holder of a socket; null when nobody holds it. */
export function askHolder(address: string, request: unknown): Promise<unknown> {
  return new Promise((resolve, reject) => {
    const socket = connect(address);
    let answer = "";
    socket.setTimeout(ANSWER_LIMIT_MS, () => {
      socket.destroy();
      reject(
        new AppError(
          "data-folder-in-use",
          `The program at ${address} holds this data folder but does not answer.`,
        ),
      );
    });
    socket.on("connect", () => socket.write(`${JSON.stringify(request)}\n`));
    socket.on("data", (chunk) => (answer += chunk.toString("utf8")));
    socket.on("end", () => resolve(answer === "" ? null : JSON.parse(answer)));
    // Nobody listens: no file, or the socket file of a process that is gone.
    socket.on("error", () => resolve(null));
  });
}

/** The right to run on a data folder, until closed or the process ends. */
export type Fence = { readonly address: string; readonly close: () => Promise<void> };

/**
 * Takes the right to run on a data folder, or throws `data-folder-in-use` with the holder's pid and start time, having
 * opened no other file of the folder. The socket is made under a name of our own and linked to its place, which fails
 * when the place is taken: two starts in the same moment cannot both win. The writer locks of the stores stand behind it.
 */
export async function takeFence(
  socketPath: string,
  info: HolderInfo,
  handler: SocketHandler,
  /** Names our own socket until it has its place; unique among starts that are alive. */
  tag = String(process.pid),
): Promise<Fence> {
  const address = socketAddress(socketPath);
  const server = createServer((socket) => serve(socket, info, handler));
  if (process.platform === "win32") {
    await listen(server, address);
    return { address, close: () => closeServer(server) };
  }
  // Asked before anything is made: a start that loses touches nothing in the folder.
  await throwIfHeld(address);
  try {
    makeFolders(dirname(address), 0o700);
  } catch (error) {
    throw unusable(address, error);
  }
  const own = `${address}.${tag}`;
  rmSync(own, { force: true });
  await listen(server, own);
  try {
    await claim(own, address);
  } catch (error) {
    await closeServer(server);
    throw error;
  } finally {
    // From here on the socket is reached by its place alone; a kill leaves one file there and none beside it.
    rmSync(own, { force: true });
  }
  return {
    address,
    close: async () => {
      rmSync(address, { force: true });
      await closeServer(server);
    },
  };
}

async function claim(own: string, address: string): Promise<void> {
  for (let attempt = 0; attempt < CLAIM_ATTEMPTS; attempt += 1) {
    try {
      return linkSync(own, address);
    } catch (error) {
      if (!isCode(error, "EEXIST")) throw unusable(address, error);
    }
    const seen = identityOf(address);
    await throwIfHeld(address);
    if (!removeDead(own, address, seen)) await delay(GUARD_POLL_MS);
  }
  throw new AppError("data-folder-in-use", "Another start is taking this data folder at this moment.");
}

/**
 * Removes a socket that nobody listens on, and only that very one: whoever was faster has put its own in the same place, and
 * removing that would let two starts in. One start at a time does this (`.taking`), in a few synchronous calls; false when
 * it is another's turn.
 */
function removeDead(own: string, address: string, seen: string | null): boolean {
  const guard = `${address}.taking`;
  try {
    linkSync(own, guard);
  } catch (error) {
    if (!isCode(error, "EEXIST")) throw unusable(guard, error);
    removeOldGuard(guard);
    return false;
  }
  try {
    if (seen !== null && identityOf(address) === seen) rmSync(address, { force: true });
  } catch (error) {
    // A folder in its place, for one.
    throw unusable(address, error);
  } finally {
    rmSync(guard, { force: true });
  }
  return true;
}

/** Its holder was killed in the microseconds between two calls. */
function removeOldGuard(guard: string): void {
  const stats = lstatSync(guard, { throwIfNoEntry: false });
  if (stats !== undefined && Date.now() - stats.ctimeMs > GUARD_LIFE_MS) rmSync(guard, { force: true });
}

/** Inode and birth: an inode number alone may be given to the next file. Null where there is no file. */
function identityOf(path: string): string | null {
  const stats = lstatSync(path, { throwIfNoEntry: false, bigint: true });
  return stats === undefined ? null : `${stats.dev}:${stats.ino}:${stats.birthtimeNs}`;
}

async function throwIfHeld(address: string): Promise<void> {
  const holder = await askHolder(address, { ask: "who" });
  if (holder === null) return;
  const { pid, startedMs } = parseHolder(holder);
  const since = new Date(startedMs).toISOString();
  throw new AppError(
    "data-folder-in-use",
    `Highwater already runs on this data folder (pid ${pid}, since ${since}). Use that window, stop it, or start with --data and another folder.`,
    { details: { pid, startedMs } },
  );
}

function parseHolder(value: unknown): { pid: number; startedMs: number } {
  const pid = typeof value === "object" && value !== null && "pid" in value ? Number(value.pid) : 0;
  const startedMs =
    typeof value === "object" && value !== null && "startedMs" in value ? Number(value.startedMs) : 0;
  return { pid, startedMs };
}

function serve(socket: Socket, info: HolderInfo, handler: SocketHandler): void {
  let text = "";
  socket.on("error", () => socket.destroy());
  socket.on("data", (chunk) => {
    text += chunk.toString("utf8");
    if (text.length > REQUEST_LIMIT_BYTES) {
      socket.destroy();
      return;
    }
    const end = text.indexOf("\n");
    if (end < 0) return;
    answerLine(text.slice(0, end), info, handler).then(
      (answer) => socket.end(JSON.stringify(answer)),
      (error: unknown) => socket.end(JSON.stringify({ error: String(error) })),
    );
  });
}

async function answerLine(line: string, info: HolderInfo, handler: SocketHandler): Promise<unknown> {
  const request: unknown = JSON.parse(line);
  if (typeof request === "object" && request !== null && "ask" in request && request.ask === "who")
    return info;
  return handler(request);
}

function listen(server: Server, address: string): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once("error", (error) => reject(unusable(address, error)));
    const mask = process.umask(0o177);
    server.listen(address, () => resolve());
    process.umask(mask);
  });
}

function closeServer(server: Server): Promise<void> {
  return new Promise((resolve) => server.close(() => resolve()));
}

function unusable(address: string, cause: unknown): AppError {
  return new AppError(
    "data-folder-unusable",
    `Cannot make the socket ${address} (${String(cause)}). Choose a folder on a local disk that you may write to, with --data.`,
    { cause },
  );
}

function isCode(error: unknown, code: string): boolean {
  return error instanceof Error && "code" in error && error.code === code;
}
