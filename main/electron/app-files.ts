import { readFile } from "node:fs/promises";
import { extname, isAbsolute, join, relative } from "node:path";

/** The window's own origin. */
export const APP_SCHEME = "app";
export const APP_ORIGIN = "app://highwater";

/** What the page may do (electron.md "Security that was shown to work"): its own files, nothing else, no eval, no HTML sinks. */
export const CONTENT_SECURITY_POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data:",
  "font-src 'self'",
  "connect-src 'self'",
  "worker-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
  "object-src 'none'",
  "require-trusted-types-for 'script'",
  "trusted-types 'none'",
].join("; ");

const TYPES: Readonly<Record<string, string>> = {
  ".css": "text/css; charset=utf-8",
  ".html": "text/html; charset=utf-8",
  ".js": "text/javascript; charset=utf-8",
  ".map": "application/json; charset=utf-8",
  ".svg": "image/svg+xml",
  ".ttf": "font/ttf",
};

/** The file below `root` that an address names, or null: another origin, a way out of `root`, or a kind we do not serve. */
export function resolveAppFile(root: string, address: string): { path: string; type: string } | null {
  if (!URL.canParse(address)) return null;
  const url = new URL(address);
  if (`${url.protocol}//${url.host}` !== APP_ORIGIN) return null;
  const name = decodeName(url.pathname);
  if (name === null) return null;
  const path = join(root, name === "/" ? "index.html" : name);
  const inside = relative(root, path);
  if (inside === "" || inside.startsWith("..") || isAbsolute(inside)) return null;
  const type = TYPES[extname(path)];
  return type === undefined ? null : { path, type };
}

function decodeName(pathname: string): string | null {
  try {
    const name = decodeURIComponent(pathname);
    return name.includes("\0") || name.includes("\\") ? null : name;
  } catch {
    // Half an escape names no file of ours.
    return null;
  }
}

/** Answers a request of the page with a file of ours under the policy, or 404. */
export async function serveAppFile(root: string, address: string): Promise<Response> {
  const file = resolveAppFile(root, address);
  if (file === null) return new Response("not found", { status: 404 });
  try {
    const body = await readFile(file.path);
    const headers = {
      "content-type": file.type,
      "content-security-policy": CONTENT_SECURITY_POLICY,
      "x-content-type-options": "nosniff",
      "cross-origin-opener-policy": "same-origin",
    };
    return new Response(new Uint8Array(body), { headers });
  } catch (error) {
    const code = error instanceof Error && "code" in error ? error.code : null;
    if (code === "ENOENT" || code === "EISDIR") return new Response("not found", { status: 404 });
    throw error;
  }
}
