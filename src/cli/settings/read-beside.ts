import { UsageError } from '../../host/errors.ts';
import type { Settings } from '../../validation/settings.ts';
import type { Context } from '../command/context.ts';
import { readValidationSettings } from './run-settings.ts';

/** The settings files of other applications; the mistakes of all of them are one `UsageError`. */
export async function readBeside(context: Context, files: readonly string[]): Promise<readonly Settings[]> {
  const read = await Promise.allSettled(
    files.map((config) => readValidationSettings({ ...context, flags: { ...context.flags, config } }, {})),
  );
  const mistakes = read.flatMap((one, index) =>
    one.status === 'rejected' ? mistakesIn(one.reason, files[index] ?? '') : [],
  );
  if (mistakes.length > 0) throw new UsageError([...new Set(mistakes)]);
  return read.flatMap((one) => (one.status === 'fulfilled' ? [one.value] : []));
}

function mistakesIn(error: unknown, file: string): readonly string[] {
  if (!(error instanceof UsageError)) throw error;
  return error.mistakes.map((mistake) => (mistake.includes(file) ? mistake : `${file}: ${mistake}`));
}
