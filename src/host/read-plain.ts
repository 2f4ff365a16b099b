import { OperationError } from './errors.ts';
import type { Files } from './host.ts';

/** More than any journal or saved cluster of ours, and less than a string of V8 can hold. */
const mostBytes = 256 * 1024 * 1024;
/** For a file of that size on a slow disk. */
const timeoutSeconds = 60;

/** A file that this program writes itself, where it may have been replaced: a link, a pipe or a device there is an `OperationError`. Undefined if there is none. */
export async function readPlain(files: Pick<Files, 'readUntrusted'>, path: string): Promise<string | undefined> {
  const read = await files.readUntrusted(path, { mostBytes, timeoutSeconds });
  if (read === undefined || 'text' in read) return read?.text;
  throw new OperationError({ tried: 'Reading', on: path, reason: read.refused });
}
