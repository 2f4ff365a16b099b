import { stat } from 'node:fs/promises';
import { OperationError } from './errors.ts';

/**
 * An `OperationError` where a device, a pipe or a socket stands, or a symbolic link that leads to one: opening a pipe would wait for its other
 * side for ever, /dev/zero has no end, and a file renamed over /dev/null would take it from everybody.
 */
export async function refuseSpecialFile(tried: string, path: string): Promise<void> {
  // Where nobody may look the deed itself says why.
  const there = await stat(path).catch(() => undefined);
  if (there === undefined || there.isFile() || there.isDirectory()) return;
  throw new OperationError({ tried, on: path, reason: 'it is not a regular file' });
}
