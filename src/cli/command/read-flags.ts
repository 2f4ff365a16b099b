import type { z } from 'zod';
import { UsageError } from '../../host/errors.ts';
import { type Read, readSettings } from '../../settings/read-settings.ts';
import type { RawArguments } from './command.ts';

/**
 * Validates flags by a schema. All mistakes are one `UsageError` that names each flag as typed; `operands` are keys
 * that are no flags.
 */
export function readFlags<S extends z.ZodType>(
  schema: S,
  raw: RawArguments['options'],
  operands: readonly string[] = [],
): z.output<S> {
  const read = flagsIn(schema, raw, operands);
  if ('settings' in read) return read.settings;
  throw new UsageError(read.mistakes);
}

/** As `readFlags`, but returns the mistakes. */
export function flagsIn<S extends z.ZodType>(
  schema: S,
  raw: RawArguments['options'],
  operands: readonly string[] = [],
): Read<z.output<S>> {
  return readSettings(schema, raw, '', (key) => (operands.includes(key) ? key.toUpperCase() : flag(key)));
}

/** `slowSeconds` is typed as `--slow-seconds`. */
const flag = (key: string): string => `--${key.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`;
