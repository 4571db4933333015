/** Asks every `everyMs` until the answer is not null; rejects with what was waited for after `limitMs`. */
export async function waitUntil<T>(
  what: string,
  ask: () => T | null | Promise<T | null>,
  { everyMs = 20, limitMs = 120_000 }: { readonly everyMs?: number; readonly limitMs?: number } = {},
): Promise<T> {
  const began = performance.now();
  for (;;) {
    const answer = await ask();
    if (answer !== null) return answer;
    if (performance.now() - began > limitMs) throw new Error(`${what}: not within ${limitMs / 1_000} s`);
    await new Promise((resolve) => setTimeout(resolve, everyMs));
  }
}

/** Resolves after `ms`: a measurement over a span of time has to let it pass. */
export function spanOf(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}
