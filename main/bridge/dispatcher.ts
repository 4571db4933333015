import { z } from "zod";
import { commandSchemas } from "#main/contract/commands.ts";
import type {
  CommandArguments,
  CommandHandlers,
  CommandName,
  CommandResults,
} from "#main/contract/commands.ts";
import type { BridgeAnswer } from "#main/contract/bridge.ts";
import { AppError, toWireError } from "#storage/model/errors.ts";

/** Runs one command for a window. Whatever comes in is untrusted: name and arguments are checked before a handler sees them. */
export type Dispatcher = (
  command: unknown,
  args: unknown,
) => Promise<BridgeAnswer<CommandResults[CommandName]>>;

function isCommandName(value: unknown): value is CommandName {
  // Own keys only: "constructor" and "__proto__" are no commands.
  return typeof value === "string" && Object.hasOwn(commandSchemas, value);
}

/** The arguments as the contract wants them; throws AppError `usage` otherwise. */
function parseArguments<C extends CommandName>(command: C, args: unknown): CommandArguments<C> {
  const parsed = commandSchemas[command].safeParse(args);
  if (!parsed.success) {
    throw new AppError("usage", `${command}: ${z.prettifyError(parsed.error)}`, { details: { command } });
  }
  return parsed.data as CommandArguments<C>;
}

async function run<C extends CommandName>(
  handlers: CommandHandlers,
  command: C,
  args: unknown,
): Promise<CommandResults[C]> {
  return handlers[command](parseArguments(command, args));
}

/**
 * Makes the dispatcher of a set of handlers. An AppError becomes an answer, so that its code survives the bridge.
 * Anything else is a bug of ours: `onBug` hears of it and the call is rejected.
 */
export function createDispatcher(
  handlers: CommandHandlers,
  onBug: (command: string, error: unknown) => void,
): Dispatcher {
  return async (command, args) => {
    try {
      if (!isCommandName(command)) {
        throw new AppError("usage", `no such command: ${String(command).slice(0, 100)}`);
      }
      return { ok: true, value: await run(handlers, command, args) };
    } catch (error) {
      if (error instanceof AppError) return { ok: false, error: toWireError(error) };
      onBug(String(command).slice(0, 100), error);
      throw error;
    }
  };
}
