/** A process that holds a writer lock until it is killed: `node hold-lock.test-support.ts <path>`. Prints the outcome. */
import { AppError } from "../model/errors.ts";
import { holdWriterLock } from "./writer-lock.ts";

try {
  const lock = await holdWriterLock(process.argv[2] ?? "");
  process.stdout.write(`held ${lock.record.processStart}\n`);
  setInterval(() => undefined, 60_000);
} catch (error) {
  if (!(error instanceof AppError)) throw error;
  process.stdout.write(`${error.code} ${String(error.details["pid"])}\n`);
}
