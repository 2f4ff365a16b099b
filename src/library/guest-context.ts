import type { Context } from '../cli/command/context.ts';
import { version } from '../cli/version.ts';
import { guestHost } from '../host/node.ts';

/**
 * What the commands are given, for a caller in the same process: no settings file, no environment, no terminal, no
 * signals but its own.
 */
export function guestContext(
  signal: AbortSignal | undefined,
  given: NonNullable<Context['given']> = {},
): Context & { readonly signal: AbortSignal | undefined } {
  const flags = { json: true, quiet: true, verbose: false, color: false };
  return { host: guestHost(signal), environment: {}, version, flags, given, signal };
}

/** The options as the command line has them: a number is text there, and one that is undefined is not given. */
export const asFlags = (options: object): Readonly<Record<string, unknown>> =>
  Object.fromEntries(
    Object.entries(options).flatMap(([name, value]) =>
      value === undefined ? [] : [[name, typeof value === 'number' ? String(value) : value]],
    ),
  );
