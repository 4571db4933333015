import type { Engine } from "./engine-contract.ts";

/**
 * What another process of the same user may ask over the local socket, one JSON object a request: `{"ask":"status"}`,
 * `pause`, `resume`, `show` (bring the window to the front). Anything else is answered with an error and changes nothing.
 */
export async function answerSocket(
  engine: Engine,
  request: unknown,
  onShow: (() => void) | null,
): Promise<unknown> {
  const ask = typeof request === "object" && request !== null && "ask" in request ? request.ask : null;
  switch (ask) {
    case "status":
      return { status: engine.status() };
    case "pause":
      engine.pause();
      return { ok: true };
    case "resume":
      engine.resume();
      return { ok: true };
    case "show":
      onShow?.();
      return { ok: onShow !== null };
    default:
      return { error: "unknown request" };
  }
}
