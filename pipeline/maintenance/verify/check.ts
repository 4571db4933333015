import type { VerifyCheck } from "../../protocol/query-messages.ts";

/** Examples that a check keeps (protocol/query-messages.ts). */
const MAX_EXAMPLES = 20;

/** One promise while it is being checked: counts what breaks it and keeps the first examples. */
export class Check {
  readonly #id: string;
  readonly #promise: string;
  readonly #examples: string[] = [];
  #faults = 0;
  #unknowns = 0;
  #lost = 0;
  #doubled = 0;

  constructor(id: string, promise: string) {
    this.#id = id;
    this.#promise = promise;
  }

  /** The promise is broken here. */
  fault(example: string): void {
    this.#faults += 1;
    this.#keep(example);
  }

  /** The promise is broken here: so many records are in no table. */
  lost(example: string, records = 1): void {
    this.#lost += records;
    this.fault(example);
  }

  /** The promise is broken here: the record is there more than once. */
  doubled(example: string): void {
    this.#doubled += 1;
    this.fault(example);
  }

  /** It cannot be told whether the promise holds here. */
  unknown(example: string): void {
    this.#unknowns += 1;
    this.#keep(example);
  }

  /** The verdict; `held` says what was looked at where nothing was wrong. */
  done(held: string): VerifyCheck {
    const { verdict, detail } = this.#verdict(held);
    const counts = { lost: this.#lost, doubled: this.#doubled };
    return { id: this.#id, promise: this.#promise, verdict, detail, examples: this.#examples, ...counts };
  }

  #verdict(held: string): Pick<VerifyCheck, "verdict" | "detail"> {
    if (this.#faults > 0) return { verdict: "broken", detail: `${this.#faults} broken; ${held}` };
    if (this.#unknowns > 0) return { verdict: "cannot-tell", detail: `${this.#unknowns} unknown; ${held}` };
    return { verdict: "ok", detail: held };
  }

  #keep(example: string): void {
    if (this.#examples.length < MAX_EXAMPLES) this.#examples.push(example);
  }
}

/** Broken where any check is, else cannot-tell where any is, else ok. */
export function verdictOf(checks: readonly VerifyCheck[]): VerifyCheck["verdict"] {
  if (checks.some(({ verdict }) => verdict === "broken")) return "broken";
  return checks.some(({ verdict }) => verdict === "cannot-tell") ? "cannot-tell" : "ok";
}
