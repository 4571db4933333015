import type { WireError } from "#storage/model/errors.ts";
import type { CommandArguments, CommandName, CommandResults } from "./commands.ts";
import type { AppEvents, EventName } from "./events.ts";

/** Answer of a command as it crosses the bridge: an error is a value, so that its code survives. */
export type BridgeAnswer<T> =
  | { readonly ok: true; readonly value: T }
  | { readonly ok: false; readonly error: WireError };

/** What the preload script puts on `window.highwater`: the only way out of the sandboxed renderer. */
export type Bridge = {
  readonly invoke: <C extends CommandName>(
    command: C,
    args: CommandArguments<C>,
  ) => Promise<BridgeAnswer<CommandResults[C]>>;
  /** Where a file that was dropped onto the window lies; empty for one that lies nowhere. */
  readonly pathOf: (file: object) => string;
  /** Subscribes; returns the end of the subscription. */
  readonly on: <E extends EventName>(event: E, listener: (payload: AppEvents[E]) => void) => () => void;
};
