import { setTimeout as delay } from "node:timers/promises";

/** Looks until `probe` gives something; throws after `limitMs` with what `explain` says. */
export async function until<T>(
  what: string,
  probe: () => T | null | undefined | false | Promise<T | null | undefined | false>,
  options: { limitMs?: number; everyMs?: number; explain?: () => string } = {},
): Promise<T> {
  const { limitMs = 60_000, everyMs = 10, explain } = options;
  const end = performance.now() + limitMs;
  for (;;) {
    const found = await probe();
    if (found !== null && found !== undefined && found !== false) return found;
    if (performance.now() > end)
      throw new Error(
        `no sign of "${what}" within ${limitMs} ms${explain === undefined ? "" : `\n${explain()}`}`,
      );
    await delay(everyMs);
  }
}
