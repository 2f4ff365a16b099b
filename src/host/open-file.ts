import { constants } from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';
import { OperationError } from './errors.ts';
import { systemError } from './system-error.ts';

/** A file of which parts are read. */
export interface OpenFile {
  /** The bytes of a part, fewer where the file ends before. They are overwritten when the next part is read. */
  read(fromByte: number, toByte: number): Promise<Uint8Array>;
  close(): Promise<void>;
}

/**
 * How a file is read that somebody else may have made: only a plain one is opened, no link at its end is followed, and
 * nothing is waited for.
 */
export interface UntrustedLimits {
  /** A longer file is refused whole. */
  readonly mostBytes: number;
  /** 2 where nothing is said. */
  readonly timeoutSeconds?: number;
  /** The ids of the users of whom one has to own it; then it is refused too where everybody may write it. */
  readonly owners?: readonly number[];
}
/**
 * Its text, or why it was not read: a clause that goes after "because". `bySystem`: a system call has failed, such as
 * for lack of permission.
 */
export type UntrustedFile = { readonly text: string } | { readonly refused: string; readonly bySystem?: true };

/** Opens a file for reading parts of it, in any order. */
export async function openFile(path: string): Promise<OpenFile> {
  const failed = (cause: unknown) => {
    throw systemError('Reading', path, cause);
  };
  const file = await openRegular(path).catch(failed);
  /** Fresh memory for each part would cost as much as the reading. */
  let buffer = Buffer.alloc(0);
  return {
    read: async (fromByte, toByte) => {
      const wanted = toByte - fromByte;
      if (buffer.length < wanted) buffer = Buffer.allocUnsafeSlow(wanted);
      let length = 0;
      while (length < wanted) {
        const { bytesRead } = await file.read(buffer, length, wanted - length, fromByte + length).catch(failed);
        if (bytesRead === 0) break;
        length += bytesRead;
      }
      return buffer.subarray(0, length);
    },
    close: () => file.close(),
  };
}

/**
 * Opens for reading without waiting: a pipe without a writer would hold open(2) for ever, and the thread that waits
 * there hinders others. A device, a pipe or a socket, also by a link, is then an `OperationError`; a folder fails when
 * it is read.
 */
export async function openRegular(path: string): Promise<FileHandle> {
  const file = await open(path, constants.O_RDONLY | constants.O_NONBLOCK | constants.O_NOCTTY);
  const there = await file.stat();
  if (there.isFile() || there.isDirectory()) return file;
  await file.close();
  throw new OperationError({ tried: 'Reading', on: path, reason: 'it is not a regular file' });
}
