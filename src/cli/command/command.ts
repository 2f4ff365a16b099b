import type { Context } from './context.ts';

/** A command as data: what `--help` shows, and how to load the module that runs it. */
export interface CommandEntry {
  readonly name: string;
  readonly summary: string;
  /** In commander's notation: `<url>`, `[run]`, `<log>`. */
  readonly arguments?: readonly { readonly name: string; readonly summary: string }[];
  readonly options: readonly CommandOption[];
  /** A program starts it and no person: it is in no help. */
  readonly hidden?: true;
  /** Exit code after an `OperationError`; 1 if absent (docs/contract.md, "Exit codes"). */
  readonly failed?: number;
  /**
   * Exit code if it ended with 0 but its result could not be written: 0 where the exit code says enough; `failed` if
   * absent.
   */
  readonly unwritten?: number;
  readonly load: () => Promise<Perform>;
}
export interface CommandOption {
  /** In commander's notation: `--seed <n>`, `--scenario <name...>`, `--listen`. */
  readonly flags: string;
  readonly summary: string;
  /** Given again for one more; unlike `<name...>` it takes one word each time. */
  readonly repeats?: true;
}

/** The command line as commander parsed it. Each command validates its own flags and reports all mistakes at once. */
export interface RawArguments {
  readonly options: Readonly<Record<string, unknown>>;
  readonly operands: readonly string[];
}

/** Runs the command and resolves with its exit code. */
export type Perform = (context: Context, given: RawArguments) => Promise<number>;
