import { createReadStream } from "node:fs";
import { createServer } from "node:http";

const READ_BYTES = 262_144;
const path = process.argv[2] ?? "";

/** Serves a corpus file as fast as clients take it: reading it costs next to nothing, so the client is what is measured. */
const server = createServer((request, response) => {
  response.writeHead(200, {
    "content-type": "text/event-stream; charset=utf-8",
    "cache-control": "no-store",
  });
  const file = createReadStream(path, { highWaterMark: READ_BYTES });
  file.on("error", () => response.destroy());
  response.on("close", () => file.destroy());
  file.pipe(response, { end: request.url === "/raw" });
});
server.listen(0, "127.0.0.1", () => {
  const address = server.address();
  if (typeof address === "object" && address !== null) process.send?.({ port: address.port });
});
process.on("disconnect", () => process.exit(0));
