import { writeSync } from 'node:fs';
import { constants, type FileHandle, open } from 'node:fs/promises';
import { dirname } from 'node:path';
import { OperationError } from './errors.ts';
import { syncFolder } from './folders.ts';
import type { Appender } from './host.ts';
import { refuseSpecialFile } from './refuse-special-file.ts';
import { systemError } from './system-error.ts';

const operation = 'Appending to';

/**
 * A file open for appending: each text is one write(2), in the order of the calls. With `synchronous` the write is made
 * before the call returns, and the file is synced once, when it is closed: for a rehearsal, whose cluster ends with
 * this process.
 */
export async function openAppender(
  path: string,
  options: { readonly mode?: number; readonly synchronous?: boolean },
): Promise<Appender> {
  const file = await openForAppending(path, options.mode ?? 0o666);
  return options.synchronous ? synchronousAppender(file, path) : queuedAppender(file, path);
}

function synchronousAppender(file: FileHandle, path: string): Appender {
  let isToSync = false;
  return {
    write: (text) => writeAtOnce(file, path, text),
    async sync() {
      isToSync = true;
    },
    async close() {
      if (isToSync) await sync(file, path);
      await file.close();
    },
  };
}

function queuedAppender(file: FileHandle, path: string): Appender {
  let last: Promise<unknown> = Promise.resolve();
  let isInFolder = false;
  const queued = <T>(work: () => Promise<T>): Promise<T> => {
    const done = last.then(work);
    last = done.catch(() => undefined);
    return done;
  };
  return {
    write: (text) => queued(() => writeLater(file, path, text)),
    sync: () =>
      queued(async () => {
        await sync(file, path);
        // The folder's entry is synced once: it stays on disk.
        if (!isInFolder) await syncFolderOf(path);
        isInFolder = true;
      }),
    close: () => queued(() => file.close()),
  };
}

async function openForAppending(path: string, mode: number): Promise<FileHandle> {
  const { O_APPEND, O_CREAT, O_NOFOLLOW, O_NONBLOCK, O_WRONLY } = constants;
  try {
    await refuseSpecialFile(operation, path);
    return await open(path, O_APPEND | O_CREAT | O_NOFOLLOW | O_NONBLOCK | O_WRONLY, mode);
  } catch (cause) {
    throw systemError(operation, path, cause);
  }
}

async function writeLater(file: FileHandle, path: string, text: string): Promise<void> {
  const bytes = Buffer.from(text);
  try {
    const { bytesWritten } = await file.write(bytes);
    demandWhole(path, bytesWritten, bytes.length);
  } catch (cause) {
    throw systemError(operation, path, cause);
  }
}

async function writeAtOnce(file: FileHandle, path: string, text: string): Promise<void> {
  const bytes = Buffer.from(text);
  try {
    demandWhole(path, writeSync(file.fd, bytes), bytes.length);
  } catch (cause) {
    throw systemError(operation, path, cause);
  }
}

/** A full disk may accept only the first part of a text. */
function demandWhole(path: string, written: number, length: number): void {
  if (written === length) return;
  throw new OperationError({
    tried: operation,
    on: path,
    reason: `only ${written} of ${length} bytes were written, as on a full disk`,
  });
}

async function sync(file: FileHandle, path: string): Promise<void> {
  try {
    await file.sync();
  } catch (cause) {
    throw systemError('Syncing', path, cause);
  }
}

async function syncFolderOf(path: string): Promise<void> {
  try {
    await syncFolder(dirname(path));
  } catch (cause) {
    throw systemError('Syncing', path, cause);
  }
}
