import { execFileSync } from "node:child_process";
import { createServer, type Server, type ServerResponse } from "node:http";
import { createServer as createTlsServer } from "node:https";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { type AddressInfo, connect } from "node:net";
import { join } from "node:path";
import { expect, test } from "vitest";
import { type CliProcess, startCli } from "../support/cli-process.ts";
import { event, frame } from "../support/invented-events.ts";
import { type Scope, testScope } from "../support/scope.ts";

/** Promised in the field case: within this a message, ms. The machine is shared, so three times as much fails. */
const MESSAGE_WITHIN_MS = 5_000;
const NOISE = 3;
const EVENTS = 5;

/** The environment without what this machine sets itself, and with `more`. */
function environment(more: Readonly<Record<string, string | undefined>>): NodeJS.ProcessEnv {
  const { HOME: _home, XDG_DATA_HOME: _data, XDG_RUNTIME_DIR: _runtime, ...rest } = process.env;
  return { ...rest, ...more };
}

async function endOf(run: CliProcess): Promise<{ code: number | null; said: string; tookMs: number }> {
  const startedMs = performance.now();
  const { code } = await run.ended;
  return { code, said: run.stderr() + run.stdout(), tookMs: performance.now() - startedMs };
}

test("C34: where the data folder cannot be made, a start says which one and what to do, and ends with a code", async () => {
  const scope = testScope();
  const file = join(scope.folder(), "a file in the home's place");
  writeFileSync(file, "");
  const homes = [
    { home: file, names: file },
    // No folder can be made there, by anybody.
    { home: "/proc/no-such-home", names: "/proc/no-such-home" },
  ];
  for (const { home, names } of homes) {
    const env = environment({ HOME: home });
    const { code, said, tookMs } = await endOf(
      startCli(scope, ["run", "--source", "demo", "--for", "1s"], [], env),
    );
    expect(code, said).not.toBe(0);
    expect(said).toContain(names);
    expect(said).toMatch(/--data/);
    expect(tookMs).toBeLessThan(NOISE * MESSAGE_WITHIN_MS);
  }
});

test("C34: a relative XDG folder is ignored, a missing runtime folder harms nothing, and a path too long for a socket works", async () => {
  const scope = testScope();
  const home = join(scope.folder(), "home ".repeat(40).trim());
  mkdirSync(home);
  const env = environment({ HOME: home, XDG_DATA_HOME: "relative", XDG_CONFIG_HOME: "relative" });
  const run = startCli(
    scope,
    ["run", "--source", "demo", "--events", "20", "--rate", "max", "--json"],
    [],
    env,
  );
  const { code, said } = await endOf(run);
  expect(code, said).toBe(0);
  expect(readFileSync(join(home, ".local/share/highwater/demo/workspace/folder.json"), "utf8")).toContain(
    "demo",
  );
});

/** Answers as EventStreams does, with a few events, and counts who asked. */
function answerStream(response: ServerResponse): void {
  response.writeHead(200, { "content-type": "text/event-stream" });
  response.write(":ok\n\n");
  for (let i = 0; i < EVENTS; i += 1) response.write(frame(event(i)));
}

async function listen(scope: Scope, server: Server): Promise<number> {
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  scope.onEnd(() => {
    server.closeAllConnections();
    server.close();
  });
  return (server.address() as AddressInfo).port;
}

/** A forward proxy: every host name leads to the feed of this test, as a company's proxy alone can reach the outside. */
async function startProxy(scope: Scope, feedPort: number): Promise<{ url: string; asked: string[] }> {
  const asked: string[] = [];
  const proxy = createServer((request, response) => {
    asked.push(request.url ?? "");
    answerStream(response);
  });
  proxy.on("connect", (request, socket, head) => {
    asked.push(request.url ?? "");
    const upstream = connect(feedPort, "127.0.0.1", () => {
      socket.write("HTTP/1.1 200 Connection Established\r\n\r\n");
      upstream.write(head);
      upstream.pipe(socket).pipe(upstream);
    });
    upstream.on("error", () => socket.destroy());
    socket.on("error", () => upstream.destroy());
  });
  return { url: `http://127.0.0.1:${await listen(scope, proxy)}`, asked };
}

/** A certificate for `feed.example` from a certificate authority that nobody knows. */
function privateAuthority(folder: string): { ca: string; key: Buffer; cert: Buffer } {
  const openssl = (...args: readonly string[]): void =>
    void execFileSync("openssl", args, { cwd: folder, stdio: "pipe" });
  openssl(
    "req",
    "-x509",
    "-newkey",
    "rsa:2048",
    "-nodes",
    "-days",
    "2",
    "-subj",
    "/CN=A private CA",
    "-keyout",
    "ca.key",
    "-out",
    "ca.pem",
  );
  openssl(
    "req",
    "-newkey",
    "rsa:2048",
    "-nodes",
    "-subj",
    "/CN=feed.example",
    "-keyout",
    "feed.key",
    "-out",
    "feed.csr",
  );
  writeFileSync(join(folder, "names"), "subjectAltName=DNS:feed.example");
  openssl(
    "x509",
    "-req",
    "-in",
    "feed.csr",
    "-CA",
    "ca.pem",
    "-CAkey",
    "ca.key",
    "-CAcreateserial",
    "-days",
    "2",
    "-extfile",
    "names",
    "-out",
    "feed.pem",
  );
  return {
    ca: join(folder, "ca.pem"),
    key: readFileSync(join(folder, "feed.key")),
    cert: readFileSync(join(folder, "feed.pem")),
  };
}

function runFeed(scope: Scope, url: string, more: Readonly<Record<string, string>>): CliProcess {
  const args = [
    "run",
    "--source",
    url,
    "--data",
    scope.folder(),
    "--events",
    String(EVENTS),
    "--for",
    "20s",
    "--json",
  ];
  return startCli(scope, args, [], { ...process.env, ...more });
}

test("C42: a feed that only the proxy can reach is read through it, plain and by TLS; a private certificate is trusted where it is named, and verification is never switched off", async () => {
  const scope = testScope();
  const { ca, key, cert } = privateAuthority(scope.folder());
  const feed = createTlsServer({ key, cert }, (_request, response) => answerStream(response));
  const feedPort = await listen(scope, feed);
  const proxy = await startProxy(scope, feedPort);
  const proxied = { HTTP_PROXY: proxy.url, HTTPS_PROXY: proxy.url };

  const trusted = await endOf(
    runFeed(scope, "https://feed.example/v2/stream/recentchange", { ...proxied, NODE_EXTRA_CA_CERTS: ca }),
  );
  expect(trusted.code, trusted.said).toBe(0);
  expect(proxy.asked).toContain("feed.example:443");

  const untrusted = await endOf(
    runFeed(scope, "https://feed.example/v2/stream/recentchange", {
      ...proxied,
      NODE_TLS_REJECT_UNAUTHORIZED: "0",
    }),
  );
  expect(untrusted.code, untrusted.said).not.toBe(0);
  expect(untrusted.said).toMatch(/certificate/i);
  expect(untrusted.said).toContain("NODE_EXTRA_CA_CERTS");

  const plain = await endOf(runFeed(scope, "http://feed.example/v2/stream/recentchange", proxied));
  expect(plain.code, plain.said).toBe(0);
});
