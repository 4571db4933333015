import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { onTestFinished } from "vitest";

type End = () => Promise<void> | void;

/** Everything a test opened, ended in reverse order whatever happens; an end that fails does not keep the others from ending. */
export class Scope {
  readonly #ends: End[] = [];

  onEnd(end: End): void {
    this.#ends.push(end);
  }

  /** A temporary folder that goes with the scope; kept for a look with HIGHWATER_KEEP=1. */
  folder(): string {
    const path = mkdtempSync(join(tmpdir(), "highwater-crash-"));
    this.onEnd(() => {
      if (process.env["HIGHWATER_KEEP"] !== "1") rmSync(path, { recursive: true, force: true });
    });
    return path;
  }

  async close(): Promise<void> {
    const errors: unknown[] = [];
    for (const end of this.#ends.splice(0).toReversed()) {
      try {
        await end();
      } catch (error) {
        errors.push(error);
      }
    }
    if (errors.length === 1) throw errors[0];
    if (errors.length > 1) throw new AggregateError(errors, errors.map(String).join("; "));
  }
}

/** A scope of the running test. */
export function testScope(): Scope {
  const scope = new Scope();
  onTestFinished(() => scope.close());
  return scope;
}
