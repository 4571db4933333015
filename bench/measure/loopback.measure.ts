import { get } from "node:http";
import { answer } from "./answer.ts";

/** Raw bytes over loopback HTTP: a client that only counts. */
await answer("loopback", ({ url }) => {
  const { promise, resolve, reject } = Promise.withResolvers<{ bytes: number; ms: number }>();
  get(url, { headers: { accept: "text/event-stream" } }, (response) => {
    let [bytes, began] = [0, 0];
    response.on("data", (chunk: Buffer) => {
      if (bytes === 0) began = performance.now();
      bytes += chunk.length;
    });
    response.on("error", reject);
    response.on("end", () => resolve({ bytes, ms: performance.now() - began }));
  }).on("error", reject);
  return promise;
});
