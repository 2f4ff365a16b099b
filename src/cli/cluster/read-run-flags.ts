import type { z } from 'zod';
import { UsageError } from '../../host/errors.ts';
import type { RawArguments } from '../command/command.ts';
import { mistakesOf } from '../command/mistakes.ts';
import { flagsIn } from '../command/read-flags.ts';

/** Further sources of mistakes of a command line. */
export interface AlsoRead<Typed> {
  /**
   * Mistakes between flags, one sentence each. It gets the raw flags, so that a mistake in one flag does not hide
   * these.
   */
  readonly alsoWrong: (typed: Typed) => Promise<readonly string[]> | readonly string[];
  /** Reads the files that the command needs; called if a flag is wrong, to report the mistakes in the files as well. */
  readonly files: (typed: Typed) => Promise<unknown>;
}

/**
 * The flags of a command that reads settings too. All mistakes of both are one `UsageError` (docs/contract.md, "Exit
 * codes").
 */
export async function readRunFlags<S extends z.ZodType>(
  schema: S,
  raw: RawArguments['options'],
  { alsoWrong, files }: AlsoRead<Partial<z.input<S>>>,
): Promise<z.output<S>> {
  const typed = raw as Partial<z.input<S>>;
  const read = flagsIn(schema, raw);
  const mistakes = [...('mistakes' in read ? read.mistakes : []), ...(await alsoWrong(typed))];
  if ('settings' in read && mistakes.length === 0) return read.settings;
  throw new UsageError([...mistakes, ...(await mistakesOf(files(typed)))]);
}
