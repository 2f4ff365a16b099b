import type { Context } from './context.ts';

/** A command as data: what `--help` shows, and where its work is loaded from when it is asked for. */
export interface CommandEntry {
  readonly name: string;
  readonly summary: string;
  /** As commander writes them: `<url>`, `[run]`, `<log>`. */
  readonly arguments?: readonly { readonly name: string; readonly summary: string }[];
  readonly options: readonly CommandOption[];
  /** Its exit code where the outside did not do what was asked of it; 1 without it (contract section 2). */
  readonly failed?: number;
  /** Its exit code where it ended with 0 and its answer could not be written: 0 where the exit code is the answer, `failed` without it. */
  readonly unwritten?: number;
  readonly load: () => Promise<Perform>;
}
export interface CommandOption {
  /** As commander writes them: `--seed <n>`, `--scenario <name...>`, `--listen`. */
  readonly flags: string;
  readonly summary: string;
}

/** The raw words of the command line; each command reads its own and says everything that is wrong with them at once. */
export interface RawArguments {
  readonly options: Readonly<Record<string, unknown>>;
  readonly operands: readonly string[];
}

/** Does the work; the promise is the exit code. */
export type Perform = (context: Context, given: RawArguments) => Promise<number>;
