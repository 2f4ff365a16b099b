import type { z } from 'zod';
import { UsageError } from '../host/errors.ts';
import { readSettings } from '../settings/read-settings.ts';

/** The words of a command line against a schema: everything wrong with them is one `UsageError`, named as typed. */
export function readFlags<S extends z.ZodType>(schema: S, raw: Readonly<Record<string, unknown>>): z.output<S> {
  const read = readSettings(schema, raw, '');
  if ('settings' in read) return read.settings;
  throw new UsageError(read.mistakes.map(asTyped));
}

/** `slowSeconds is …` as `--slow-seconds is …`. */
function asTyped(mistake: string): string {
  return mistake.replace(/^\w+/, (key) => `--${key.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`);
}
