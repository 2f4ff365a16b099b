import type * as z from 'zod';
import { OperationError } from '../../host/errors.ts';
import type { Files } from '../../host/host.ts';

/**
 * The record in a file of the state folder; undefined if there is none. One that is not of that shape is an
 * `OperationError`: it says what a run keeps for others, and nothing can be done without it.
 */
export async function readStateFile<T>(
  files: Pick<Files, 'read'>,
  path: string,
  shape: z.ZodType<T>,
): Promise<T | undefined> {
  const text = await files.read(path);
  return text === undefined ? undefined : recordIn(text, path, shape);
}

function recordIn<T>(text: string, path: string, shape: z.ZodType<T>): T {
  const read = shape.safeParse(jsonOf(text));
  if (read.success) return read.data;
  const [issue] = read.error.issues;
  const reason = `it is no record of holdfast: ${issue?.path.join('.') || 'the whole'}: ${issue?.message}`;
  throw new OperationError({ tried: 'Reading', on: path, reason, next: 'See what it is, and move it away' });
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
