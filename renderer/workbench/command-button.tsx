import type { ReactElement, ReactNode } from "react";
import { useAppStores } from "#renderer/stores/app-stores.ts";
import { COMMANDS, runCommand } from "./commands.ts";
import { showKeys } from "./keyboard.ts";

type Props = {
  readonly command: string;
  readonly className?: string;
  /** True where the words inside name it better than the command's title. */
  readonly isNamedByText?: boolean;
  readonly children: ReactNode;
};

/** A button that runs a command and says in its tooltip what and by which key. */
export function CommandButton({
  command: id,
  className,
  isNamedByText = false,
  children,
}: Props): ReactElement {
  const stores = useAppStores();
  const command = COMMANDS.find((candidate) => candidate.id === id);
  if (command === undefined) throw new Error(`no such command: ${id}`);
  const keys = showKeys(command);
  const title = keys === "" ? command.title : `${command.title} (${keys})`;
  return (
    <button
      type="button"
      className={className}
      title={title}
      aria-label={isNamedByText ? undefined : title}
      onClick={() => runCommand(stores, id)}
    >
      {children}
    </button>
  );
}
