import { constants, type Stats } from 'node:fs';
import { link, lstat, lutimes, open, realpath, rename, rm, statfs, symlink, truncate } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { openAppender } from './appender.ts';
import { list, makeFolder, syncFolder } from './folders.ts';
import type { FileStat, Files, FreeSpace, NewFileOptions } from './host.ts';
import { openFile } from './open-file.ts';
import { chunks, read } from './read-file.ts';
import { readUntrusted } from './read-untrusted.ts';
import { refuseSpecialFile } from './refuse-special-file.ts';
import { codeOf, systemError } from './system-error.ts';

/** The machine's files, without blocking the event loop. */
export function nodeFiles(): Files {
  return {
    read,
    readUntrusted,
    chunks,
    open: openFile,
    append: (path, options = {}) => openAppender(path, options),
    replace,
    replaceBytes: replace,
    create,
    makeFolder,
    list,
    stat,
    realPath,
    freeSpace,
    link: linkTo,
    rename: move,
    place,
    setModifiedAt,
    setMode,
    truncate: cutOff,
    remove,
  };
}

async function replace(path: string, content: string | Uint8Array, options: NewFileOptions = {}): Promise<void> {
  try {
    await refuseSpecialFile('Writing', path);
    const aside = await writeAside(path, content, options);
    await rename(aside, path).catch((cause) => abandon(aside, cause));
    await syncFolder(dirname(path));
  } catch (cause) {
    throw systemError('Writing', path, cause);
  }
}

/** Links the complete file into place: it appears whole or not at all, and never replaces another file. */
async function create(path: string, text: string, options: NewFileOptions = {}): Promise<boolean> {
  try {
    const aside = await writeAside(path, text, options);
    const made = await link(aside, path).then(
      () => true,
      (cause) => (codeOf(cause) === 'EEXIST' ? false : abandon(aside, cause)),
    );
    await rm(aside, { force: true });
    await syncFolder(dirname(path));
    return made;
  } catch (cause) {
    throw systemError('Making', path, cause);
  }
}

let asides = 0;

/** A name that no other call and no other process makes. */
function asideOf(path: string): string {
  return join(dirname(path), `.${basename(path)}.${process.pid}.${asides++}`);
}

/** A synced file in the same folder, so that a rename puts it into place atomically. */
async function writeAside(
  path: string,
  content: string | Uint8Array,
  { mode = 0o666, modifiedAt }: NewFileOptions,
): Promise<string> {
  const aside = asideOf(path);
  const file = await open(aside, 'wx', mode);
  try {
    await file.writeFile(content);
    if (modifiedAt !== undefined) await file.utimes(modifiedAt / 1000, modifiedAt / 1000);
    await file.sync();
  } catch (cause) {
    await abandon(aside, cause);
  } finally {
    await file.close();
  }
  return aside;
}

async function abandon(aside: string, cause: unknown): Promise<never> {
  await rm(aside, { force: true });
  throw cause;
}

async function stat(path: string): Promise<FileStat | undefined> {
  try {
    const there = await lstat(path);
    const { uid, gid, size, mtimeMs, dev, ino } = there;
    const id = `${dev}:${ino}`;
    return { id, kind: kindOf(there), uid, gid, mode: there.mode & 0o7777, sizeBytes: size, modifiedAt: mtimeMs };
  } catch (cause) {
    return undefinedWhenMissing('Looking at', path, cause);
  }
}

function kindOf(there: Stats): FileStat['kind'] {
  if (there.isFile()) return 'file';
  if (there.isDirectory()) return 'folder';
  return there.isSymbolicLink() ? 'link' : 'other';
}

async function realPath(path: string): Promise<string | undefined> {
  try {
    return await realpath(path);
  } catch (cause) {
    return undefinedWhenMissing('Finding', path, cause);
  }
}

async function freeSpace(path: string): Promise<FreeSpace> {
  try {
    const { bavail, bsize, files, ffree } = await statfs(path);
    return { bytes: bavail * bsize, files: files === 0 ? Number.POSITIVE_INFINITY : ffree };
  } catch (cause) {
    throw systemError('Looking at the file system of', path, cause);
  }
}

async function linkTo(path: string, target: string): Promise<void> {
  const aside = asideOf(path);
  try {
    await symlink(target, aside);
    await rename(aside, path).catch((cause) => abandon(aside, cause));
    await syncFolder(dirname(path));
  } catch (cause) {
    throw systemError('Linking', path, cause);
  }
}

async function move(from: string, to: string): Promise<void> {
  try {
    await rename(from, to);
    await syncFolder(dirname(to));
  } catch (cause) {
    throw systemError('Renaming', `${from} to ${to}`, cause);
  }
}

async function place(from: string, to: string): Promise<void> {
  try {
    // A product of the old file must not look newer than the new file.
    const now = new Date();
    await lutimes(from, now, now);
    await rename(from, to);
  } catch (cause) {
    throw systemError('Placing', `${from} at ${to}`, cause);
  }
}

async function setModifiedAt(path: string, at: number): Promise<void> {
  try {
    await lutimes(path, at / 1000, at / 1000);
  } catch (cause) {
    throw systemError('Changing the time of', path, cause);
  }
}

async function setMode(path: string, mode: number): Promise<void> {
  try {
    const there = await open(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
    await there.chmod(mode).finally(() => there.close());
  } catch (cause) {
    throw systemError('Changing the mode of', path, cause);
  }
}

async function cutOff(path: string, bytes: number): Promise<void> {
  try {
    await truncate(path, bytes);
  } catch (cause) {
    throw systemError('Truncating', path, cause);
  }
}

async function remove(path: string): Promise<void> {
  try {
    await rm(path, { recursive: true, force: true });
  } catch (cause) {
    throw systemError('Removing', path, cause);
  }
}

function undefinedWhenMissing(tried: string, path: string, cause: unknown): undefined {
  if (codeOf(cause) === 'ENOENT' || codeOf(cause) === 'ENOTDIR') return undefined;
  throw systemError(tried, path, cause);
}
