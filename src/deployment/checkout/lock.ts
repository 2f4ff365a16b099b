import type { Files } from '../../host/host.ts';
import { isProvablyDead, type Owner } from './owner.ts';

export interface Lock {
  /** The dead owner from whom the lock was taken over. */
  readonly predecessor?: Owner;
  release(): Promise<void>;
}
export type Acquired = { readonly lock: Lock } | { readonly heldBy: Owner | undefined };

/**
 * Takes the deployment lock in this folder, or returns its holder; `heldBy` is undefined where the record cannot be
 * read. A lock is taken over only from an owner that is provably dead, and by one process only: the successor of an
 * owner is whoever makes the file that is named after that owner's token.
 */
export async function acquireLock(files: Files, folder: string, self: Owner): Promise<Acquired> {
  for (let attempt = 0; attempt < attempts; attempt++) {
    const acquired = await tryToAcquire(files, folder, self);
    if (acquired !== undefined) return acquired;
  }
  return { heldBy: await lockOwner(files, folder) };
}

/** An attempt fails only because another process has changed the lock meanwhile. */
const attempts = 20;

/** Undefined when another process has changed the lock meanwhile. */
async function tryToAcquire(files: Files, folder: string, self: Owner): Promise<Acquired | undefined> {
  const path = `${folder}/lock.json`;
  if (await files.create(path, JSON.stringify(self))) return { lock: lockOf(files, path, self) };
  const text = await files.read(path);
  if (text === undefined) return undefined;
  const line = await succession(files, folder, parseOwner(text));
  const last = line.at(-1);
  if (last === undefined || !(await isProvablyDead(files, last, self))) return { heldBy: last };
  return (await succeed(files, folder, line, self)) ? { lock: lockOf(files, path, self, last) } : undefined;
}

/** The holder of the lock, whether it is alive or not; undefined when there is none. */
export async function lockOwner(files: Files, folder: string): Promise<Owner | undefined> {
  const text = await files.read(`${folder}/lock.json`);
  return text === undefined ? undefined : (await succession(files, folder, parseOwner(text))).at(-1);
}

function lockOf(files: Files, path: string, self: Owner, predecessor?: Owner): Lock {
  return {
    ...(predecessor === undefined ? {} : { predecessor }),
    async release() {
      const owner = parseOwner((await files.read(path)) ?? '');
      if (owner?.token === self.token) await files.remove(path);
    },
  };
}

/** The owner in the lock file, then each successor that died before it had written itself there. */
async function succession(files: Files, folder: string, first: Owner | undefined): Promise<readonly Owner[]> {
  const line: Owner[] = [];
  let owner = first;
  while (owner !== undefined && line.length < attempts) {
    line.push(owner);
    const text = await files.read(successorPath(folder, owner));
    if (text === undefined) break;
    owner = parseOwner(text);
    if (owner === undefined) return [];
  }
  return line;
}

/** True when this process is the one successor, and the lock file names it. */
async function succeed(files: Files, folder: string, line: readonly Owner[], self: Owner): Promise<boolean> {
  const [first, last] = [line[0], line.at(-1)];
  if (first === undefined || last === undefined) return false;
  const path = successorPath(folder, last);
  if (!(await files.create(path, JSON.stringify(self)))) return false;
  // Another successor may have finished, and removed these files, since they were read.
  const inLock = parseOwner((await files.read(`${folder}/lock.json`)) ?? '');
  if (inLock?.token !== first.token) {
    await files.remove(path);
    return false;
  }
  await files.replace(`${folder}/lock.json`, JSON.stringify(self));
  for (const owner of line) await files.remove(successorPath(folder, owner));
  return true;
}

function successorPath(folder: string, owner: Owner): string {
  return `${folder}/successor-of-${owner.token}.json`;
}

/** Undefined when the text is not an owner's record: then nothing can be proved dead, and the lock is kept. */
function parseOwner(text: string): Owner | undefined {
  try {
    const owner: unknown = JSON.parse(text);
    return isOwner(owner) ? owner : undefined;
  } catch {
    return undefined;
  }
}

function isOwner(value: unknown): value is Owner {
  const { token, pid, startTicks, bootId } = (value ?? {}) as Partial<Owner>;
  return (
    /^[\w-]+$/.test(String(token)) &&
    Number.isInteger(pid) &&
    typeof startTicks === 'string' &&
    typeof bootId === 'string'
  );
}
