import type { ParseArgsOptionsConfig } from "node:util";

/** Exit codes (issue "Workers, command line"): a check that cannot tell is never a pass. */
export const EXIT = { ok: 0, broken: 1, cannotTell: 2, usage: 64 } as const;

/** One of {@link EXIT}. */
export type ExitCode = (typeof EXIT)[keyof typeof EXIT];

/** Parsed flags and words of a command; flags by their long name. */
export type CommandInput = {
  readonly flags: Readonly<Record<string, string | boolean | undefined>>;
  readonly words: readonly string[];
  readonly output: Output;
};

/** Where a command writes: text for people, or one JSON document and nothing else. */
export type Output = {
  readonly isJson: boolean;
  /** True where a person watches: progress may redraw its line. */
  readonly isTty: boolean;
  /** A line of text; nothing with `--json`. */
  readonly line: (text: string) => void;
  /** Redraws the last line; nothing unless a person watches. */
  readonly progress: (text: string) => void;
  /** The one JSON document; nothing without `--json`. */
  readonly json: (value: unknown) => void;
  /** Notices; standard error, so that results can be piped. */
  readonly notice: (text: string) => void;
};

/** One command of `highwater`; each has its file in `commands/` and its line in the registry. */
export type Command = {
  readonly name: string;
  /** One line for the list of commands. */
  readonly summary: string;
  readonly usage: string;
  readonly examples: readonly string[];
  /** Flags besides --data, --json and --help; the texts stand in `flagHelp`. */
  readonly options: ParseArgsOptionsConfig;
  readonly flagHelp: Readonly<Record<string, string>>;
  /** True where words besides flags mean something; elsewhere they are refused. */
  readonly takesWords?: true;
  readonly run: (input: CommandInput) => Promise<ExitCode>;
};
