import type { z } from 'zod';
import { UsageError } from '../host/errors.ts';
import { readSettings } from '../settings/read-settings.ts';

/** The words of a command line against a schema: everything wrong with them is one `UsageError`, named as typed. `operands` are no flags. */
export function readFlags<S extends z.ZodType>(
  schema: S,
  raw: Readonly<Record<string, unknown>>,
  operands: readonly string[] = [],
): z.output<S> {
  const read = readSettings(schema, raw, '');
  if ('settings' in read) return read.settings;
  throw new UsageError(read.mistakes.map((mistake) => asTyped(mistake, operands)));
}

/** `slowSeconds is …` as `--slow-seconds is …`; the operand `url` as `URL`, as in the usage line. */
function asTyped(mistake: string, operands: readonly string[]): string {
  const flag = (key: string): string => `--${key.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`;
  return mistake.replace(/^\w+/, (key) => (operands.includes(key) ? key.toUpperCase() : flag(key)));
}
