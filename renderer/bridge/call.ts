import type { Bridge, BridgeAnswer } from "#main/contract/bridge.ts";
import type { CommandArguments, CommandName, CommandResults } from "#main/contract/commands.ts";

/**
 * Sends a command and always comes back with an answer: a call that was rejected (main is going down, or a bug of ours
 * there) is an error like any other to the panel that asked.
 */
export async function call<C extends CommandName>(
  bridge: Bridge,
  command: C,
  args: CommandArguments<C>,
): Promise<BridgeAnswer<CommandResults[C]>> {
  try {
    return await bridge.invoke(command, args);
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    return {
      ok: false,
      error: { code: "worker-gone", kind: "transient", message: `${command}: ${message}`, details: {} },
    };
  }
}
