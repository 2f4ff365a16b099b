import { stat } from 'node:fs/promises';
import { OperationError } from './errors.ts';

/**
 * An `OperationError` if the path is a device, a pipe or a socket, or a symbolic link to one: opening a pipe could wait
 * for ever, /dev/zero has no end, and a file renamed over /dev/null would replace it for everybody.
 */
export async function refuseSpecialFile(tried: string, path: string): Promise<void> {
  // If the path cannot be examined, the operation itself will say why.
  const there = await stat(path).catch(() => undefined);
  if (there === undefined || there.isFile() || there.isDirectory()) return;
  throw new OperationError({ tried, on: path, reason: 'it is not a regular file' });
}
