import { expect, test } from "vitest";
import { AppError } from "#storage/model/errors.ts";
import { startDecidingThread } from "./deciding-thread.ts";

/** Runs a thread of this text in place of the deciding one until it has failed, and stops it. */
async function failureOf(text: string): Promise<unknown> {
  const failed = Promise.withResolvers<unknown>();
  const entry = new URL(`data:text/javascript,import { parentPort } from "node:worker_threads"; ${text}`);
  const thread = startDecidingThread({ onMessage: () => undefined, onFailed: failed.resolve }, entry);
  thread.post({ type: "done", turn: 1, published: true });
  try {
    return await failed.promise;
  } finally {
    await thread.stop();
  }
}

const onMessage = (work: string): string => `parentPort.on("message", () => { ${work} });`;

test("a deciding thread that ends unasked is a fatal error that names its code", async () => {
  const error = await failureOf(onMessage("process.exit(7);"));
  expect(error).toMatchObject({ code: "worker-protocol", kind: "fatal" });
  expect(String(error)).toContain("code 7");
});

test("a bug in the deciding thread arrives as it is, so that it crashes the process", async () => {
  const error = await failureOf(onMessage(`throw new RangeError("a bug");`));
  expect(error).toBeInstanceOf(RangeError);
  expect(error).not.toBeInstanceOf(AppError);
});

test("an error that the deciding thread names keeps code, kind and details", async () => {
  const wire = { code: "log-gone", kind: "fatal", message: "gone", details: { offset: 3 } };
  const error = await failureOf(
    onMessage(`parentPort.postMessage({ type: "failed", error: ${JSON.stringify(wire)} });`),
  );
  expect(error).toBeInstanceOf(AppError);
  expect(error).toMatchObject({ code: "log-gone", kind: "fatal", details: { offset: 3 } });
});
