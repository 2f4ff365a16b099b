import { OperationError } from './errors.ts';

/** What an errno means to a person; the code itself follows in brackets, to be searched for. */
const MEANINGS: Readonly<Record<string, string>> = {
  EACCES: 'permission denied',
  EPERM: 'operation not permitted',
  EROFS: 'the file system is read-only',
  ENOSPC: 'no space left on the device',
  EDQUOT: 'the disk quota is used up',
  EEXIST: 'something else is there already',
  ENAMETOOLONG: 'a name in the path is too long',
  ENOENT: 'no such file or folder',
  ENOTDIR: 'a part of the path is not a folder',
  EISDIR: 'it is a folder',
  ELOOP: 'a symbolic link is in its place',
  EMFILE: 'too many open files',
};

/** The failure of a system call as an `OperationError`; an `OperationError` stays what it is. */
export function systemError(tried: string, on: string, cause: unknown): OperationError {
  if (cause instanceof OperationError) return cause;
  return new OperationError({ tried, on, reason: meaning(cause) }, { cause });
}

export function codeOf(error: unknown): string | undefined {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : undefined;
}

/** open(2), socket(2), connect(2): this machine has run out of something. */
const OWN_TROUBLE = new Set(['EMFILE', 'ENFILE', 'ENOBUFS', 'ENOMEM', 'EADDRNOTAVAIL']);

/** Whether the failure is this machine's own, and says nothing of what was asked. */
export function isOwnTrouble(error: unknown): boolean {
  return OWN_TROUBLE.has(codeOf(error) ?? '');
}

/** connect(2), getaddrinfo(3): nobody is at that address, or no way leads there. */
const NOBODY_THERE = new Set(['ECONNREFUSED', 'EHOSTUNREACH', 'ENETUNREACH', 'ENOTFOUND', 'EAI_AGAIN']);

/** Whether a request never came to a server, by what caused the error: then no other request of that server comes further. */
export function reachedNobody(error: unknown): boolean {
  return error instanceof Error && (NOBODY_THERE.has(codeOf(error) ?? '') || reachedNobody(error.cause));
}

function meaning(cause: unknown): string {
  const code = codeOf(cause);
  if (code !== undefined && MEANINGS[code] !== undefined) return `${MEANINGS[code]} (${code})`;
  return cause instanceof Error ? cause.message : String(cause);
}
