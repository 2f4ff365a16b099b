import { constants } from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';
import type { UntrustedFile, UntrustedLimits } from './open-file.ts';
import { codeOf, systemError } from './system-error.ts';

/**
 * Linux: such a descriptor names a file without opening it (open(2), O_PATH), so that it can be looked at first.
 * Opening a pipe would wait for a writer, and opening a device may do something. The value is that of every
 * architecture that Node.js is built for.
 */
const pathOnly = 0o10000000;
const usualSeconds = 2;
const notPlain = { refused: 'it is not a plain file' } as const;

/** `readUntrusted` of `Files`. */
export async function readUntrusted(path: string, limits: UntrustedLimits): Promise<UntrustedFile | undefined> {
  const { timeoutSeconds = usualSeconds } = limits;
  const { promise: late, resolve } = Promise.withResolvers<UntrustedFile>();
  const timer = setTimeout(
    () => resolve({ refused: `nothing came within ${timeoutSeconds} s` }),
    timeoutSeconds * 1000,
  );
  try {
    return await Promise.race([looked(path, limits), late]);
  } finally {
    clearTimeout(timer);
  }
}

async function looked(path: string, limits: UntrustedLimits): Promise<UntrustedFile | undefined> {
  try {
    const named = await open(path, pathOnly | constants.O_NOFOLLOW);
    try {
      return await ofNamed(named, limits);
    } finally {
      await named.close();
    }
  } catch (cause) {
    if (codeOf(cause) === 'ENOENT' || codeOf(cause) === 'ENOTDIR') return undefined;
    return { refused: systemError('Reading', path, cause).failure.reason, bySystem: true };
  }
}

async function ofNamed(named: FileHandle, { mostBytes, owners }: UntrustedLimits): Promise<UntrustedFile> {
  const there = await named.stat();
  if (!there.isFile()) return there.isSymbolicLink() ? { refused: 'it is a symbolic link' } : notPlain;
  if (owners !== undefined && !owners.includes(there.uid)) return { refused: `it belongs to user ${there.uid}` };
  if (owners !== undefined && (there.mode & 0o002) !== 0) return { refused: 'everybody may write it' };
  const file = await open(`/proc/self/fd/${named.fd}`, constants.O_RDONLY | constants.O_NONBLOCK | constants.O_NOCTTY);
  try {
    return await textOf(file, mostBytes);
  } finally {
    await file.close();
  }
}

/** The size is not asked for: a file of /proc has none, and another one may grow. */
async function textOf(file: FileHandle, mostBytes: number): Promise<UntrustedFile> {
  const pieces: Buffer[] = [];
  for (let length = 0; ; ) {
    const piece = Buffer.allocUnsafe(Math.min(64 * 1024, mostBytes + 1 - length));
    const { bytesRead } = await file.read(piece, 0, piece.length, null);
    if (bytesRead === 0) return { text: Buffer.concat(pieces).toString('utf8') };
    pieces.push(piece.subarray(0, bytesRead));
    length += bytesRead;
    if (length > mostBytes) return { refused: `it is longer than ${mostBytes} bytes` };
  }
}
