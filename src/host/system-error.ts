import { OperationError } from './errors.ts';

/** What an errno means to a person. The code follows in brackets, so that it can be searched for. */
const meanings: Readonly<Record<string, string>> = {
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

/** The failure of a system call as an `OperationError`; an `OperationError` is returned as it is. */
export function systemError(tried: string, on: string, cause: unknown): OperationError {
  if (cause instanceof OperationError) return cause;
  return new OperationError({ tried, on, reason: meaning(cause) }, { cause });
}

export function codeOf(error: unknown): string | undefined {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : undefined;
}

/** open(2), socket(2), connect(2): this machine has run out of a resource. */
const ownTroubleCodes = new Set(['EMFILE', 'ENFILE', 'ENOBUFS', 'ENOMEM', 'EADDRNOTAVAIL']);

/** Whether the failure is this machine's own and says nothing about the target. */
export function isOwnTrouble(error: unknown): boolean {
  return ownTroubleCodes.has(codeOf(error) ?? '');
}

/** connect(2), getaddrinfo(3): nothing listens at that address, or it cannot be reached. */
const unreachableCodes = new Set(['ECONNREFUSED', 'EHOSTUNREACH', 'ENETUNREACH', 'ENOTFOUND', 'EAI_AGAIN']);

/** Whether the request never reached a server, by the causes of the error: then no other request to it will either. */
export function reachedNobody(error: unknown): boolean {
  return error instanceof Error && (unreachableCodes.has(codeOf(error) ?? '') || reachedNobody(error.cause));
}

function meaning(cause: unknown): string {
  const code = codeOf(cause);
  if (code !== undefined && meanings[code] !== undefined) return `${meanings[code]} (${code})`;
  return cause instanceof Error ? cause.message : String(cause);
}
