import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import { Connection } from "./connection.ts";
import type { FeedContext } from "./feed-context.ts";
import { FrameSource } from "./frame-source.ts";
import { cdnPage, kafkaSseError, problem, type Refusal } from "./refusals.ts";
import { isStreamPath, type NewClients, readStreamRequest } from "./stream-request.ts";

const CORS = {
  "access-control-allow-origin": "*",
  "access-control-allow-methods": "GET,HEAD",
  "access-control-allow-headers": "accept, content-type, cache-control, last-event-id",
  "access-control-expose-headers": "etag",
} as const;

/** The HTTP side: routes, refuses, and keeps the connections that are open. */
export class FeedServer {
  readonly #context: FeedContext;
  readonly #newClients: NewClients;
  readonly #maxConnections: number;
  readonly #server: Server;
  readonly #open = new Set<Connection>();
  #attempts = 0;
  #resumes = 0;
  #accepted = 0;

  constructor(context: FeedContext, options: { newClients: NewClients; maxConnectionsPerClient: number }) {
    this.#context = context;
    this.#newClients = options.newClients;
    this.#maxConnections = options.maxConnectionsPerClient;
    this.#server = createServer((request, response) => this.#route(request, response));
  }

  /** Listens on the loopback interface; resolves with the port. Rejects with the system's error. */
  listen(port: number): Promise<number> {
    return new Promise((resolve, reject) => {
      this.#server.once("error", reject);
      this.#server.listen(port, "127.0.0.1", () => {
        const address = this.#server.address();
        resolve(typeof address === "object" && address !== null ? address.port : port);
      });
    });
  }

  get clients(): number {
    return this.#open.size;
  }

  get accepted(): number {
    return this.#accepted;
  }

  /** Lets every connection look for something new to send. */
  wake(): void {
    for (const connection of this.#open) connection.wake();
  }

  /** Ends every connection inside a frame; returns how many. */
  cut(): number {
    for (const connection of this.#open) connection.cut();
    return this.#open.size;
  }

  close(): Promise<void> {
    return new Promise((resolve) => {
      this.#server.close(() => resolve());
      this.#server.closeAllConnections();
    });
  }

  #route(request: IncomingMessage, response: ServerResponse): void {
    const url = new URL(request.url ?? "/", "http://127.0.0.1");
    const method = request.method ?? "GET";
    if (method === "OPTIONS") return void response.writeHead(204, CORS).end();
    if (url.pathname === "/") return void response.writeHead(303, { ...CORS, location: "/v2/ui" }).end();
    if (url.pathname === "/rc") return void response.writeHead(301, { ...CORS, location: "/" }).end();
    if (request.headers["user-agent"] === undefined) {
      return refuse(response, cdnPage(403, "Please set a user-agent and respect our robot policy."));
    }
    if (!isStreamPath(url.pathname) || (method !== "GET" && method !== "HEAD")) {
      const facts = { status: 404, type: "not_found#route", title: "Not found.", detail: "no such route" };
      return refuse(response, problem(facts, method, url.pathname));
    }
    this.#stream(request, response, url);
  }

  #stream(request: IncomingMessage, response: ServerResponse, url: URL): void {
    const refusal = this.#plannedRefusal(request, url);
    if (refusal !== null) return refuse(response, refusal);
    const { plan, producer } = this.#context;
    const isFirst = producer.frontier === 0;
    const wanted = readStreamRequest(request, url, plan, producer, isFirst ? "everything" : this.#newClients);
    if (!wanted.ok) return refuse(response, wanted.refusal);
    response.writeHead(200, { ...CORS, "content-type": wanted.contentType, "cache-control": "no-cache" });
    if (request.method === "HEAD") return void response.end();
    producer.begin();
    this.#accepted += 1;
    const frames = new FrameSource(plan, wanted.assignment, wanted.isResumed);
    const connection = new Connection(this.#context, response, frames, wanted.style, this.#accepted);
    this.#open.add(connection);
    response.once("close", () => void this.#open.delete(connection));
    // A bug in the generator must not be taken for a cut: it ends the feed.
    connection.serve().catch((error: unknown) => {
      queueMicrotask(() => {
        throw error;
      });
    });
  }

  /** Refusals of the faults and of the limit on connections. */
  #plannedRefusal(request: IncomingMessage, url: URL): Refusal | null {
    const { faults } = this.#context.plan;
    this.#attempts += 1;
    if (faults.has("429") && this.#attempts % 4 === 1) return tooMany(request, url, { "retry-after": "1" });
    if (faults.has("503") && this.#attempts % 4 === 2)
      return cdnPage(503, "Our servers are currently under maintenance.");
    if (faults.has("bad-resume") && request.headers["last-event-id"] !== undefined) {
      this.#resumes += 1;
      if (this.#resumes % 3 === 1) return kafkaSseError(400, "this Last-Event-ID cannot be resumed");
    }
    return this.#open.size >= this.#maxConnections ? tooMany(request, url, {}) : null;
  }
}

function tooMany(request: IncomingMessage, url: URL, headers: Readonly<Record<string, string>>): Refusal {
  const detail = "too many concurrent connections from this client";
  const facts = { status: 429, type: "too_many_requests", title: "Too many requests.", detail };
  return { ...problem(facts, request.method ?? "GET", url.pathname), headers };
}

function refuse(response: ServerResponse, refusal: Refusal): void {
  response
    .writeHead(refusal.status, { ...CORS, ...refusal.headers, "content-type": refusal.contentType })
    .end(refusal.body);
}
